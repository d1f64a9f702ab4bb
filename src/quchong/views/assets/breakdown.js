"use strict";
// Charts of the overview: removals by source and by time, sizes of clusters.
(function (q) {
  const { about, by_source: source, by_time: time, sizes } = q.model;

  function card(title, note, draw, wide) {
    const box = q.el("div", { class: "chart" });
    return [
      q.el(
        "div",
        { class: "card" + (wide ? " wide" : "") },
        q.el("h3", {}, title),
        box,
        note ? q.el("p", { class: "soft" }, note) : null,
      ),
      () => draw(box),
    ];
  }

  function bySource() {
    const names = source.names.map(q.plain);
    const brief = names.map((n) => (n.length > 22 ? n.slice(0, 21) + "…" : n));
    const given = source.column;
    const others = source.others.sources
      ? q.t("source.others", {
          sources: q.number(source.others.sources),
          removed: q.number(source.others.removed),
          read: q.number(source.others.read),
        })
      : "";
    const note =
      (given ? q.t("source.note", q.plain(about.source_key)) : q.t("source.inputs", q.plain(about.source_key))) +
      (others ? " " + others : "");
    return card(q.t("source"), note, (box) => {
      q.chart(
        box,
        "source",
        {
          type: "bar",
          tall: names.length > 10 ? "taller" : "",
          data: {
            labels: brief,
            datasets: [
              {
                label: q.t("removed"),
                data: source.removed,
                backgroundColor: q.colour("removed"),
                borderRadius: 3,
                maxBarThickness: 26,
              },
            ],
          },
          options: {
            indexAxis: "y",
            scales: {
              x: { beginAtZero: true, ticks: { precision: 0 } },
              y: { grid: { display: false }, ticks: { autoSkip: false } },
            },
            plugins: {
              tooltip: {
                callbacks: {
                  title: (items) => names[items[0].dataIndex],
                  afterLabel: (item) =>
                    `${q.t("count.read")} ${q.number(source.read[item.dataIndex])} · ${q.percent(source.read[item.dataIndex] ? item.raw / source.read[item.dataIndex] : 0)}%`,
                },
              },
            },
          },
        },
        q.t("source"),
        [
          [q.t("filter.source"), q.t("removed"), q.t("count.read")],
          ...names.map((n, i) => [n, source.removed[i], source.read[i]]),
        ],
      );
    });
  }

  function byTime() {
    if (!time) return null;
    const note = [
      q.t("time.column", q.plain(about.time_key)),
      time.undated ? q.t("time.undated", q.number(time.undated)) : "",
      time.outside ? q.t("time.outside", q.number(time.outside)) : "",
      time.labels.includes(null) ? q.t("time.gaps") : "",
    ].filter(Boolean).join(" ");
    return card(q.t("counted", q.t("time"), q.t("unit." + time.unit)), note, (box) => {
      const kept = time.read.map((n, i) => n - time.removed[i]);
      const set = (word, data, colour) => ({ label: q.t(word), data, backgroundColor: q.colour(colour), stack: "one" });
      q.chart(
        box,
        "time",
        {
          type: "bar",
          data: {
            labels: time.labels.map((label) => label ?? ""),
            datasets: [set("removed", time.removed, "removed"), set("kept", kept, "r-kept")],
          },
          options: {
            scales: {
              x: { stacked: true, grid: { display: false }, ticks: { maxRotation: 0, autoSkipPadding: 12 } },
              y: { stacked: true, beginAtZero: true, ticks: { precision: 0 } },
            },
            plugins: {
              legend: { display: true, position: "bottom", labels: { boxWidth: 12 } },
              line: { breaks: time.labels.flatMap((label, k) => (label === null ? [k] : [])) },
              tooltip: {
                filter: (item) => time.labels[item.dataIndex] !== null,
                callbacks: { title: (items) => (items.length ? time.labels[items[0].dataIndex] : "") },
              },
            },
            interaction: { mode: "index", intersect: false },
          },
        },
        q.t("time"),
        [
          [q.t("unit." + time.unit), q.t("removed"), q.t("count.read")],
          ...time.labels.map((l, i) =>
            l === null ? [q.t("time.gap", `${time.labels[i - 1]} – ${time.labels[i + 1]}`), 0, 0] : [l, time.removed[i], time.read[i]],
          ),
        ],
      );
    });
  }

  function bySize() {
    if (!sizes.length) return null;
    const logarithmic = Math.max(...sizes.map((s) => s[1])) > 200;
    return card(q.t("sizes"), q.t("sizes.note"), (box) =>
      q.chart(
        box,
        "sizes",
        {
          type: "bar",
          data: {
            labels: sizes.map((s) => q.number(s[0])),
            datasets: [
              {
                label: q.t("sizes.clusters"),
                data: sizes.map((s) => s[1]),
                backgroundColor: q.colour("accent"),
                borderRadius: 3,
                maxBarThickness: 44,
              },
            ],
          },
          options: {
            scales: {
              x: { grid: { display: false } },
              y: {
                type: logarithmic ? "logarithmic" : "linear",
                beginAtZero: true,
                ticks: {
                  precision: 0,
                  // On a logarithmic axis the lines lie close together: only 1, 3, 10, 30 ... have their numbers.
                  callback: (v) => ((logarithmic ? /^[13]0*$/.test(String(v)) : Number.isInteger(v)) ? q.number(v) : null),
                },
              },
            },
          },
        },
        q.t("sizes"),
        [[q.t("documents"), q.t("sizes.clusters")], ...sizes],
      ),
    );
  }

  /** Cards, each with what draws its chart when it stands in the page. */
  q.breakdown = () => [source.names.length > 1 ? bySource() : null, byTime(), bySize()].filter(Boolean);
})(window.quchong);
