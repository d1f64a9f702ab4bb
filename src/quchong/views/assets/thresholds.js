"use strict";
// Scores of all pairs, and a slider that shows what another threshold would change. Every step was decided when the page was made.
(function (q) {
  const { scores, thresholds } = q.model;
  const counts = q.model.about.counts;
  const can = !thresholds.why;
  const state = { score: null, at: null };

  /** The step that is most like the run: fewest documents would change. */
  function likest() {
    let best = 0;
    const cost = (k) => thresholds.gone[k][0] + thresholds.back[k][0] + (thresholds.values[k] === thresholds.now ? -0.5 : 0);
    for (let k = 1; k < thresholds.values.length; k++) if (cost(k) < cost(best)) best = k;
    return best;
  }

  /** The score that the slider's parameter is held against. */
  const own = () => (scores.evidence ? "evidence" : "jaccard");
  const value = () => (state.at === null ? null : thresholds.values[state.at]);

  function histogram(box) {
    const { top, counts: by } = scores[state.score];
    const bins = Object.values(by)[0]?.length || 0;
    if (!bins) return;
    const width = top / bins;
    const label = (k) => q.value(k * width);
    const places = [...Array(bins).keys()].map((k) => (k + 0.5) * width);
    q.chart(box, "scores", {
      type: "bar",
      data: { datasets: Object.entries(by).map(([relation, data]) => ({
        label: q.t("relation." + relation), data: data.map((n, k) => ({ x: places[k], y: n })), backgroundColor: q.relationColour(relation),
        stack: "one", barPercentage: 1, categoryPercentage: 0.94, grouped: false })) },
      options: {
        scales: { x: { type: "linear", min: 0, max: top, offset: false, grid: { offset: false, display: false }, title: { display: true, text: q.t("score." + state.score) }, ticks: { maxTicksLimit: 11 } },
          y: { stacked: true, beginAtZero: true, title: { display: true, text: q.t("histogram.pairs") }, ticks: { precision: 0 } } },
        plugins: { legend: { display: true, position: "bottom", labels: { boxWidth: 12 } }, line: { at: state.score === own() ? value() : null },
          tooltip: { callbacks: { title: (items) => { const k = Math.floor(items[0].parsed.x / width); return `${label(k)}–${label(k + 1)}`; } } } },
      },
    }, q.t("histogram", q.number(q.model.left_out.pairs)),
    [[q.t("score." + state.score), ...Object.keys(by).map((r) => q.t("relation." + r))], ...places.map((_, k) => [label(k), ...Object.values(by).map((d) => d[k])])]);
  }

  function curve(box) {
    q.chart(box, "curve", {
      type: "line", tall: "shorter",
      data: { datasets: [{ label: q.t("removed"), data: thresholds.values.map((v, k) => ({ x: v, y: thresholds.removed[k] })), borderColor: q.colour("removed"), backgroundColor: q.colour("removed"), pointRadius: 0, pointHitRadius: 8, borderWidth: 2, stepped: thresholds.parameter === "distance" }] },
      options: { scales: { x: { type: "linear", min: thresholds.parameter === "threshold" ? 0 : undefined, max: thresholds.parameter === "threshold" ? Math.max(1, scores[own()].top) : undefined, grid: { display: false }, title: { display: true, text: q.t("slider." + thresholds.parameter) } },
        y: { title: { display: true, text: q.t("count.removed") }, ticks: { precision: 0 } } }, plugins: { line: { at: value() } }, interaction: { mode: "nearest", axis: "x", intersect: false } },
    }, q.t("curve"), [[q.t("slider." + thresholds.parameter), q.t("count.removed")], ...thresholds.values.map((v, k) => [q.value(v), thresholds.removed[k]])]);
  }

  function moved() {
    for (const [name, at] of [["scores", state.score === own() ? value() : null], ["curve", value()]]) {
      const chart = q.charted(name);
      if (chart) { chart.options.plugins.line.at = at; chart.update("none"); }
    }
  }

  const column = (word, [count, some]) => q.el("div", { class: "changed" },
    q.el("h4", {}, q.t(word, q.number(count))),
    count > some.length ? q.el("p", { class: "soft" }, q.t("slider.first", q.number(some.length))) : null,
    q.el("ul", { class: "plain rows", tabindex: some.length > 4 ? 0 : false }, some.map(([document, survivor]) => q.el("li", {}, q.name(document), " ", q.pairButton(document, survivor)))));

  function told(result) {
    const [said, box] = result.children;
    q.clear(box);
    if (state.at === null) {
      said.textContent = q.t("slider.now", { removed: q.number(counts.removed), read: q.number(counts.read) });
      return;
    }
    const k = state.at, removed = thresholds.removed[k];
    said.textContent = q.t("slider.would", { value: q.value(thresholds.values[k]), removed: q.number(removed), kept: q.number(counts.read - removed) });
    box.append(q.el("ul", { class: "legend" }, Object.entries(thresholds.relations[k]).map(([name, n]) => q.el("li", {}, q.el("i", { class: "dot r-" + name }), q.t("relation." + name), " ", q.el("b", {}, q.number(n))))));
    const same = !thresholds.gone[k][0] && !thresholds.back[k][0];
    if (same) box.append(q.el("p", {}, q.t("slider.same")));
    else box.append(q.el("div", { class: "two" }, column("slider.gone", thresholds.gone[k]), column("slider.back", thresholds.back[k])));
    const call = thresholds.parameter === "threshold" ? thresholds.values[k] : `distance=${thresholds.values[k]}`;
    box.append(q.el("p", { class: "soft" }, q.t("slider.how"), " ", q.el("code", {}, `quchong dedup … --${thresholds.parameter} ${thresholds.values[k]}`), " · ", q.el("code", {}, `quchong.load(RUN).rethreshold(${call})`)));
  }

  function slider(result) {
    const output = q.el("output", { id: "slider-value", for: "slider" });
    const show = () => { output.textContent = state.at === null ? q.t("slider.run") : q.value(value()); back.disabled = state.at === null; };
    const input = q.el("input", { type: "range", id: "slider", min: 0, max: thresholds.values.length - 1, step: 1, "aria-describedby": "slider-note",
      on: { input: () => { state.at = Number(input.value); named(); show(); told(result); moved(); } } });
    const named = () => input.setAttribute("aria-valuetext", state.at === null ? q.t("slider.run") : q.value(value()));
    const back = q.el("button", { type: "button", on: { click: () => { state.at = null; input.value = likest(); named(); show(); told(result); moved(); input.focus(); } } }, q.t("slider.back.run"));
    input.value = state.at ?? likest();
    named();
    show();
    return q.el("div", { class: "slider" }, q.el("label", { for: "slider" }, q.t("slider." + thresholds.parameter)), input, output, back);
  }

  q.parts.push({
    id: "thresholds",
    render(root) {
      root.append(q.el("h2", {}, q.t("thresholds")));
      const names = Object.keys(scores).filter((s) => Object.keys(scores[s].counts).length);
      if (!names.length) { root.append(q.el("p", { class: "soft" }, q.t("histogram.none"))); return; }
      state.score ??= names.includes(own()) ? own() : names[0];
      const first = q.el("div", { class: "chart" });
      const pick = q.el("select", { id: "score", on: { change: () => { state.score = pick.value; histogram(first); } } },
        names.map((s) => q.el("option", { value: s, selected: s === state.score }, q.t("score." + s))));
      const card = q.el("div", { class: "card" }, q.el("div", { class: "bar" }, q.el("h3", {}, q.t("histogram", q.number(q.model.left_out.pairs))),
        q.el("span", { class: "control" }, q.el("label", { for: "score" }, q.t("score")), " ", pick)), first);
      root.append(card);
      if (can) {
        const second = q.el("div", { class: "chart" }), result = q.el("div", { class: "result" }, q.el("p", { class: "big", role: "status" }), q.el("div"));
        card.append(slider(result), result, q.el("h3", {}, q.t("curve")), second,
          q.el("p", { class: "soft", id: "slider-note" }, q.t("slider.exact." + thresholds.parameter), " ",
            thresholds.parameter === "threshold" && thresholds.values[0] > 0 ? q.t("slider.low", q.value(thresholds.values[0])) : ""));
        told(result);
        curve(second);
      } else {
        card.append(q.el("p", { class: "soft" }, q.say(q.el("span"), q.t("slider.why." + thresholds.why, thresholds.said || thresholds.method))));
      }
      histogram(first);
    },
  });
})(window.quchong);
