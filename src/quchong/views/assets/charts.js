"use strict";
// Charts by Chart.js, in the colours of the page, each with its figures as a table for those who cannot see it.
(function (q) {
  const drawn = new Map();
  let still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;

  q.colour = (name) =>
    getComputedStyle(document.documentElement)
      .getPropertyValue("--" + name)
      .trim();
  q.relationColour = (relation) => q.colour("r-" + relation);

  /** A vertical line at a value of the horizontal axis, and one for the run's own value where both are told; and breaks of the axis. */
  const line = {
    id: "line",
    afterDatasetsDraw(chart, _args, options) {
      const {
        ctx,
        chartArea: area,
        scales: { x },
      } = chart;
      const stroke = (colour, dash, points) => {
        ctx.save();
        ctx.strokeStyle = q.colour(colour);
        ctx.lineWidth = 2;
        ctx.setLineDash(dash);
        ctx.beginPath();
        points.forEach(([a, b], k) => (k % 2 ? ctx.lineTo(a, b) : ctx.moveTo(a, b)));
        ctx.stroke();
        ctx.restore();
      };
      const upright = (value, colour, dash) => {
        if (value === null || value === undefined) return;
        const place = x.getPixelForValue(value);
        if (place < area.left - 1 || place > area.right + 1) return;
        stroke(colour, dash, [[place, area.top], [place, area.bottom]]);
      };
      upright(options.run, "soft", [2, 3]);
      upright(options.at, "accent", [5, 4]);
      for (const k of options.breaks || []) {
        const place = x.getPixelForValue(k);
        stroke("soft", [], [-3, 3].flatMap((by) => [[place + by - 3, area.bottom + 6], [place + by + 3, area.bottom - 6]]));
        stroke("rule", [3, 4], [[place, area.top], [place, area.bottom - 8]]);
      }
    },
  };

  /** Draws a chart into a box: `label` for readers of the screen, `rows` with a head as its table. */
  q.chart = function (box, name, config, label, rows) {
    drawn.get(name)?.destroy();
    const canvas = q.el("canvas", { role: "img", "aria-label": label });
    const frame = q.el("div", { class: "canvas" + (config.tall ? " " + config.tall : "") }, canvas);
    q.clear(box).append(frame);
    if (rows) box.append(q.figures(rows));
    Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
    Chart.defaults.font.size = 12;
    Chart.defaults.color = q.colour("soft");
    Chart.defaults.borderColor = q.colour("rule");
    const options = {
      responsive: true,
      maintainAspectRatio: false,
      animation: still ? false : { duration: 250 },
      locale: q.tag(),
      ...config.options,
    };
    options.plugins = { legend: { display: false }, tooltip: { boxPadding: 4 }, ...options.plugins };
    drawn.set(name, new Chart(canvas, { type: config.type, data: config.data, options, plugins: [line] }));
    return drawn.get(name);
  };

  q.charted = (name) => drawn.get(name);
  q.resize = () => {
    for (const chart of drawn.values()) chart.resize();
  };
  q.stillCharts = (on) => {
    still = on;
  };

  /** Figures as a table that can be opened. */
  q.figures = function ([head, ...rows]) {
    return q.el(
      "details",
      { class: "figures" },
      q.el("summary", {}, q.t("table")),
      q.csvButton ? q.csvButton("figures", () => [head, rows]) : null,
      q.el(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": q.t("table") },
        q.el(
          "table",
          {},
          q.el(
            "thead",
            {},
            q.el(
              "tr",
              {},
              head.map((h) => q.el("th", { scope: "col" }, h)),
            ),
          ),
          q.el(
            "tbody",
            {},
            rows.map((row) =>
              q.el(
                "tr",
                {},
                row.map((cell, k) =>
                  q.el(k ? "td" : "th", k ? {} : { scope: "row" }, typeof cell === "number" ? q.value(cell) : cell),
                ),
              ),
            ),
          ),
        ),
      ),
    );
  };
})(window.quchong);
