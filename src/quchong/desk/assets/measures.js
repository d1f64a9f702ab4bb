"use strict";
// How good the run is by the labels so far: precision, recall, the threshold that would do best, and from what all this is estimated.
(function (q) {
  let found = null,
    asked = 0,
    note = "";

  /** Asks for the measures anew; only the last answer is shown. */
  q.measure = async function () {
    const mine = ++asked;
    const answer = await q.read("measures");
    if (!answer || mine !== asked) return;
    found = answer;
    draw();
  };
  q.asked = (said) => {
    note = said;
    draw();
  };

  function share(word, told) {
    const value = told.value === null ? "–" : q.t("desk.percent", q.percent(told.value));
    const interval =
      told.value === null ? q.t("desk.no.label") : q.t("desk.interval", q.percent(told.low), q.percent(told.high), q.number(told.labels));
    return q.el("div", {}, q.el("dt", {}, q.t(word), q.el("br"), q.el("span", { class: "interval" }, interval)), q.el("dd", { "data-measure": word }, value));
  }

  function count(word, n) {
    return q.el("div", {}, q.el("dt", {}, q.t(word)), q.el("dd", { "data-measure": word }, q.number(n)));
  }

  function recommended(box) {
    const t = found.thresholds;
    if (t.why) {
      const said = t.why === "few" ? q.t("desk.best.few", t.enough, q.number(found.used)) : q.t("desk.best." + t.why, t.said);
      box.append(q.say(q.el("p", { class: "soft" }), said));
      return;
    }
    const [low, high] = t.alike;
    box.append(
      q.el("p", { class: "big", "data-measure": "best" }, q.t("desk.best", q.t("slider." + t.parameter), q.value(t.best))),
      q.el(
        "p",
        {},
        q.t("desk.best.then", {
          precision: q.percent(t.at_best.precision.value ?? 0),
          precision_low: q.percent(t.at_best.precision.low),
          precision_high: q.percent(t.at_best.precision.high),
          recall: q.percent(t.at_best.recall.value ?? 0),
          recall_low: q.percent(t.at_best.recall.low),
          recall_high: q.percent(t.at_best.recall.high),
        }),
        " ",
        low === high ? "" : q.t("desk.best.alike", q.value(low), q.value(high)),
        " ",
        q.t("desk.best.now", found.f1 === null ? "–" : q.score(found.f1), q.score(t.at_best.f1)),
      ),
    );
    if (t.at_best.f1 <= (found.f1 ?? 0) + 1e-9) box.append(q.el("p", {}, q.t("desk.best.keep")));
    else box.append(q.el("p", { class: "soft" }, q.t("slider.how"), " ", q.el("code", {}, `quchong dedup … --${t.parameter} ${t.best}`)));
    const chart = q.el("div", { class: "chart" });
    box.append(chart);
    const line = (word, k, colour) => ({
      label: q.t(word),
      data: t.curve.map((step) => ({ x: step[0], y: step[k] })),
      borderColor: q.colour(colour),
      backgroundColor: q.colour(colour),
      pointRadius: 0,
      borderWidth: 2,
      stepped: true,
      spanGaps: false,
    });
    q.chart(
      chart,
      "measured",
      {
        type: "line",
        tall: "shorter",
        data: {
          datasets: [line("desk.precision", 1, "one"), line("desk.recall", 2, "other")],
        },
        options: {
          parsing: false,
          interaction: { mode: "nearest", axis: "x", intersect: false },
          scales: {
            x: { type: "linear", title: { display: true, text: q.t("slider." + t.parameter) } },
            y: { min: 0, max: 1 },
          },
          plugins: { legend: { display: true, labels: { boxWidth: 12, boxHeight: 2 } }, line: { at: t.best } },
        },
      },
      q.t("desk.curve"),
      [
        [q.t("slider." + t.parameter), q.t("desk.precision"), q.t("desk.recall"), "F1"],
        ...t.curve.map((step) => step.map((v) => (v === null ? "–" : v))),
      ],
    );
  }

  function draw() {
    const root = q.clear(q.byId("measures"));
    const state = found ? found.state : q.model.state;
    root.append(
      q.el("h2", { class: "lead" }, q.t("desk.lead")),
      q.el(
        "div",
        { class: "ask" },
        q.el(
          "button",
          {
            type: "button",
            class: "strong",
            id: "ask",
            on: {
              click: () => {
                note = "";
                q.askMe();
              },
            },
          },
          q.t("desk.ask"),
        ),
        q.el("span", { class: "soft", role: "status" }, note || q.t("desk.ask.why")),
      ),
    );
    if (state.torn) root.append(q.el("p", { class: "trouble" }, q.t("desk.torn", q.number(state.torn), q.plain(state.file))));
    if (!found) return;
    const enough = found.labels >= found.enough;
    const shown = enough ? [share("desk.precision", found.precision), share("desk.recall", found.recall)] : [];
    for (const [word, n] of [["desk.labels", found.labels], ["desk.accepted", found.accepted], ["desk.overturned", found.overturned]])
      if (n) shown.push(count(word, n));
    if (shown.length) root.append(q.el("dl", { class: "tiles" }, shown));
    if (!enough) {
      root.append(
        q.el(
          "div",
          { class: "card begin" },
          q.el("p", {}, q.t("desk.begin", q.number(found.labels), q.number(found.enough))),
          q.el("progress", { max: found.enough, value: found.labels, "aria-label": q.t("desk.labels") }),
          file(state),
        ),
      );
      return;
    }
    const best = q.el("div", { class: "card" }, q.el("h3", {}, q.t("desk.best.title")));
    root.append(q.el("div", { class: "grid" }, best, q.el("div", { class: "card" }, from(), file(state))));
    recommended(best);
  }

  /** What the figures are estimated from; nothing is said of what there is none of. */
  function from() {
    const told = [
      q.t("desk.from.whole", q.number(found.whole), q.number(found.called)),
      found.drawn ? q.t("desk.from.drawn", q.number(found.drawn)) : null,
      found.picked ? q.t("desk.from.picked", q.number(found.picked)) : null,
      found.unsure ? q.t("desk.from.unsure", q.number(found.unsure)) : null,
      found.exact ? q.t("desk.from.exact", q.number(found.exact)) : null,
      found.others ? q.t("desk.from.others", q.number(found.others)) : null,
      found.open ? q.t("desk.from.open", q.number(found.open)) : null,
      q.t("desk.from.recall"),
    ].filter(Boolean);
    return [q.el("h3", {}, q.t("desk.from")), q.el("ul", {}, told.map((said) => q.el("li", {}, said)))];
  }

  /** The decisions file, and what is done with it: commands with the paths of this run. */
  function file(state) {
    const commands = [`quchong restore ${found.typed.run} --decisions ${found.typed.decisions}`, `quchong dedup … --decisions ${found.typed.decisions}`];
    return [
      q.el("h3", {}, q.t("desk.file")),
      q.el("p", {}, q.shown(state.file), state.acts ? [" · ", q.t("desk.acts", q.number(state.acts))] : null),
      found.labels ? q.el("p", {}, q.el("a", { href: "labels.jsonl", download: "labels.jsonl" }, q.t("desk.export"))) : null,
      q.el("p", { class: "soft" }, q.t("desk.apply")),
      commands.map((said) => q.el("pre", { class: "how" }, q.el("code", {}, said))),
    ];
  }

  q.parts.push({ id: "measures", render: draw });
})(window.quchong);
