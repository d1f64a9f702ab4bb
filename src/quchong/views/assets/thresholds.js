"use strict";
// Scores of all pairs, with a slider for the threshold and one for the containment.
(function (q) {
  const { scores, thresholds } = q.model;
  const state = { score: null };
  // Sliders of the page: data, what is chosen, the id, and the score that the parameter is compared with.
  const SLIDERS = [
    [thresholds.why ? null : thresholds, { at: null }, "slider", () => q.ownScore()],
    [thresholds.containment || null, { at: null }, "slider-containment", () => "containment"],
  ].filter(([t]) => t);

  /** Where a slider stands on the axis of the score shown, and where the run does; nowhere, if no slider is compared with it. */
  function lines() {
    const found = SLIDERS.find(([, , , score]) => score() === state.score);
    if (!found) return [null, null];
    const [t, chosen] = found;
    return [chosen.at === null ? null : t.values[chosen.at], q.runValue(t)];
  }

  function moved() {
    const chart = q.charted("scores");
    if (!chart) return;
    chart.options.plugins.line.at = lines()[0];
    chart.update("none");
  }

  q.parts.push({
    id: "thresholds",
    render(root) {
      root.append(q.el("h2", {}, q.t("thresholds")));
      const names = Object.keys(scores).filter((s) => Object.keys(scores[s].counts).length);
      if (!names.length) {
        root.append(q.el("p", { class: "soft" }, q.t("histogram.none")));
        return;
      }
      state.score ??= names.includes(q.ownScore()) ? q.ownScore() : names[0];
      const first = q.el("div", { class: "chart" });
      const shown = () => q.histogram(first, state.score, ...lines());
      const pick = q.choose(
        "score",
        "score",
        names.map((s) => [s, q.t("score." + s)]),
        state.score,
        (value) => {
          state.score = value;
          shown();
        },
      );
      const card = q.el(
        "div",
        { class: "card" },
        q.el("div", { class: "bar" }, q.el("h3", {}, q.t("histogram", q.number(q.model.left_out.pairs))), pick),
        first,
      );
      root.append(card);
      const draws = [];
      for (const [t, chosen, id] of SLIDERS) {
        const [panel, draw] = q.sliderPanel(t, chosen, id, moved);
        q.fill(card, {}, [panel]);
        draws.push(draw);
      }
      if (thresholds.why) {
        const why = q.t("slider.why." + thresholds.why, thresholds.said || thresholds.method);
        card.append(q.el("p", { class: "soft" }, q.say(q.el("span"), why)));
      }
      shown();
      for (const draw of draws) draw();
    },
  });
})(window.quchong);
