"use strict";
// One slider: what another value of a parameter would change. Every step was decided when the page was made.
(function (q) {
  const { about } = q.model;
  const counts = about.counts;
  // Thresholds of the run by length and script, where it has no one value.
  const FAMILY = {
    threshold: ["jaccard", "mid_jaccard", "short_jaccard", "brief_jaccard", "latin_jaccard"],
    containment: ["containment", "latin_containment"],
  };

  /** The run's own value or values: [lowest, highest]; null where they are not known. */
  function ownValues(t) {
    if (t.now !== null && t.now !== undefined) return [t.now, t.now];
    const some = (FAMILY[t.parameter] || []).map((name) => about.thresholds[name]).filter((v) => typeof v === "number");
    return some.length ? [Math.min(...some), Math.max(...some)] : null;
  }

  /** The step that is most like the run: fewest documents would change; of equal ones that in the middle of the run's own values. */
  function likest(t) {
    let best = 0;
    const own = ownValues(t);
    const cost = (k) => t.gone[k][0] + t.back[k][0] + (t.values[k] === t.now ? -0.5 : 0);
    const off = (k) => (own ? Math.abs(t.values[k] - (own[0] + own[1]) / 2) : 0);
    for (let k = 1; k < t.values.length; k++) if (cost(k) < cost(best) || (cost(k) === cost(best) && off(k) < off(best))) best = k;
    return best;
  }

  const column = (word, [count, some]) =>
    count
      ? q.el(
          "div",
          { class: "changed" },
          q.el("h4", {}, q.t(word, q.number(count))),
          count > some.length ? q.el("p", { class: "soft" }, q.t("slider.first", q.number(some.length))) : null,
          q.el(
            "ul",
            { class: "plain rows", tabindex: some.length > 4 ? 0 : false },
            some.map(([document, survivor]) => q.el("li", {}, q.name(document), " ", q.pairButton(document, survivor))),
          ),
        )
      : null;

  function call(t, value) {
    const given = t.parameter === "threshold" ? value : `${t.parameter}=${value}`;
    return [`quchong dedup … --${t.parameter} ${value}`, `quchong.load(RUN).rethreshold(${given})`];
  }

  /** Says what the chosen step removes, and what would change. */
  function told(t, state, result) {
    const [said, box] = result.children;
    q.clear(box);
    if (state.at === null) {
      said.textContent = q.t("slider.now", { removed: q.number(counts.removed), read: q.number(counts.read) });
      return;
    }
    const k = state.at,
      removed = t.removed[k];
    said.textContent = q.t("slider.would", { value: q.value(t.values[k]), removed: q.number(removed), kept: q.number(counts.read - removed) });
    const legend = Object.entries(t.relations[k]).map(([name, n]) =>
      q.el("li", {}, q.el("i", { class: "dot r-" + name }), q.t("relation." + name), " ", q.el("b", {}, q.number(n))),
    );
    const same = !t.gone[k][0] && !t.back[k][0];
    const [command, python] = call(t, t.values[k]);
    q.fill(box, {}, [
      q.el("ul", { class: "legend" }, legend),
      same ? q.el("p", {}, q.t("slider.same")) : q.el("div", { class: "two" }, column("slider.gone", t.gone[k]), column("slider.back", t.back[k])),
      q.el("p", { class: "soft" }, q.t("slider.how"), " ", q.el("code", {}, command), " · ", q.el("code", {}, python)),
    ]);
  }

  /** A mark under the slider where the run itself stands. */
  function mark(t) {
    const own = ownValues(t);
    if (!own) return null;
    const [low, high] = own.map((v) => (v - t.values[0]) / (t.values[t.values.length - 1] - t.values[0]));
    if (!(high >= 0 && low <= 1)) return null;
    const within = (share) => `calc(8px + (100% - 16px) * ${Math.min(1, Math.max(0, share))})`;
    const bar = q.el("span", { class: "run-mark" });
    bar.style.left = within(low);
    bar.style.right = `calc(100% - ${within(high)})`;
    const said = own[0] === own[1] ? q.t("slider.mark", q.value(own[0])) : q.t("slider.mark.range", q.value(own[0]), q.value(own[1]));
    return q.el("span", { class: "marks-below" }, bar, q.el("span", { class: "run-said" }, said));
  }

  /** The slider of a parameter with its result and its curve; `moved` hears of every step. `draw` is called when the panel stands in
   *  the page. */
  q.sliderPanel = function (t, state, id, moved) {
    const result = q.el("div", { class: "result" }, q.el("p", { class: "big", role: "status" }), q.el("div"));
    const output = q.el("output", { id: id + "-value", for: id });
    const said = () => (state.at === null ? q.t("slider.run") : q.value(t.values[state.at]));
    const input = q.el("input", {
      type: "range", id, min: 0, max: t.values.length - 1, step: 1, "aria-describedby": id + "-note",
      on: { input: () => changed(Number(input.value)) },
    });
    const back = q.el(
      "button",
      {
        type: "button",
        on: {
          click: () => {
            input.value = likest(t);
            changed(null);
            input.focus();
          },
        },
      },
      q.t("slider.back.run"),
    );
    function show() {
      input.setAttribute("aria-valuetext", said());
      output.textContent = said();
      back.disabled = state.at === null;
      told(t, state, result);
    }
    function changed(at) {
      state.at = at;
      show();
      const chart = q.charted(id + "-curve");
      if (chart) {
        chart.options.plugins.line.at = at === null ? null : t.values[at];
        chart.update("none");
      }
      moved();
    }
    input.value = state.at ?? likest(t);
    show();
    const curve = q.el("div", { class: "chart" });
    const low = t.parameter !== "distance" && t.values[0] > 0 ? q.t("slider.low", q.value(t.values[0])) : "";
    const panel = [
      q.el(
        "div",
        { class: "slider" },
        q.el("label", { for: id }, q.t("slider." + t.parameter)),
        q.el("span", { class: "track" }, input, mark(t)),
        output,
        back,
      ),
      result,
      q.el("h3", {}, q.t(t.parameter === "containment" ? "curve.containment" : "curve")),
      curve,
      q.el("p", { class: "soft", id: id + "-note" }, q.t("slider.exact." + t.parameter), " ", low),
    ];
    return [panel, () => q.curve(curve, id + "-curve", t, state.at === null ? null : t.values[state.at], q.runValue(t))];
  };

  /** The one value of the run; null where it has several, or none that is known. */
  q.runValue = function (t) {
    const own = ownValues(t);
    return own && own[0] === own[1] ? own[0] : null;
  };
})(window.quchong);
