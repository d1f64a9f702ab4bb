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
    const cost = (k) =>
      thresholds.gone[k][0] + thresholds.back[k][0] + (thresholds.values[k] === thresholds.now ? -0.5 : 0);
    for (let k = 1; k < thresholds.values.length; k++) if (cost(k) < cost(best)) best = k;
    return best;
  }

  const value = () => (state.at === null ? null : thresholds.values[state.at]);

  /** Where the threshold stands on the axis of the scores; nowhere, if it is held against another score. */
  const lineAt = () => (state.score === q.ownScore() ? value() : null);

  function moved() {
    for (const [name, at] of [
      ["scores", lineAt()],
      ["curve", value()],
    ]) {
      const chart = q.charted(name);
      if (chart) {
        chart.options.plugins.line.at = at;
        chart.update("none");
      }
    }
  }

  const column = (word, [count, some]) =>
    q.el(
      "div",
      { class: "changed" },
      q.el("h4", {}, q.t(word, q.number(count))),
      count > some.length ? q.el("p", { class: "soft" }, q.t("slider.first", q.number(some.length))) : null,
      q.el(
        "ul",
        { class: "plain rows", tabindex: some.length > 4 ? 0 : false },
        some.map(([document, survivor]) => q.el("li", {}, q.name(document), " ", q.pairButton(document, survivor))),
      ),
    );

  function told(result) {
    const [said, box] = result.children;
    q.clear(box);
    if (state.at === null) {
      said.textContent = q.t("slider.now", { removed: q.number(counts.removed), read: q.number(counts.read) });
      return;
    }
    const k = state.at,
      removed = thresholds.removed[k];
    said.textContent = q.t("slider.would", {
      value: q.value(thresholds.values[k]),
      removed: q.number(removed),
      kept: q.number(counts.read - removed),
    });
    box.append(
      q.el(
        "ul",
        { class: "legend" },
        Object.entries(thresholds.relations[k]).map(([name, n]) =>
          q.el(
            "li",
            {},
            q.el("i", { class: "dot r-" + name }),
            q.t("relation." + name),
            " ",
            q.el("b", {}, q.number(n)),
          ),
        ),
      ),
    );
    const same = !thresholds.gone[k][0] && !thresholds.back[k][0];
    if (same) box.append(q.el("p", {}, q.t("slider.same")));
    else
      box.append(
        q.el(
          "div",
          { class: "two" },
          column("slider.gone", thresholds.gone[k]),
          column("slider.back", thresholds.back[k]),
        ),
      );
    const call = thresholds.parameter === "threshold" ? thresholds.values[k] : `distance=${thresholds.values[k]}`;
    box.append(
      q.el(
        "p",
        { class: "soft" },
        q.t("slider.how"),
        " ",
        q.el("code", {}, `quchong dedup … --${thresholds.parameter} ${thresholds.values[k]}`),
        " · ",
        q.el("code", {}, `quchong.load(RUN).rethreshold(${call})`),
      ),
    );
  }

  function slider(result) {
    const output = q.el("output", { id: "slider-value", for: "slider" });
    const show = () => {
      output.textContent = state.at === null ? q.t("slider.run") : q.value(value());
      back.disabled = state.at === null;
    };
    const input = q.el("input", {
      type: "range",
      id: "slider",
      min: 0,
      max: thresholds.values.length - 1,
      step: 1,
      "aria-describedby": "slider-note",
      on: {
        input: () => {
          state.at = Number(input.value);
          named();
          show();
          told(result);
          moved();
        },
      },
    });
    const named = () => input.setAttribute("aria-valuetext", state.at === null ? q.t("slider.run") : q.value(value()));
    const back = q.el(
      "button",
      {
        type: "button",
        on: {
          click: () => {
            state.at = null;
            input.value = likest();
            named();
            show();
            told(result);
            moved();
            input.focus();
          },
        },
      },
      q.t("slider.back.run"),
    );
    input.value = state.at ?? likest();
    named();
    show();
    return q.el(
      "div",
      { class: "slider" },
      q.el("label", { for: "slider" }, q.t("slider." + thresholds.parameter)),
      input,
      output,
      back,
    );
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
      const pick = q.el(
        "select",
        {
          id: "score",
          on: {
            change: () => {
              state.score = pick.value;
              q.histogram(first, state.score, lineAt());
            },
          },
        },
        names.map((s) => q.el("option", { value: s, selected: s === state.score }, q.t("score." + s))),
      );
      const card = q.el(
        "div",
        { class: "card" },
        q.el(
          "div",
          { class: "bar" },
          q.el("h3", {}, q.t("histogram", q.number(q.model.left_out.pairs))),
          q.el("span", { class: "control" }, q.el("label", { for: "score" }, q.t("score")), " ", pick),
        ),
        first,
      );
      root.append(card);
      if (can) {
        const second = q.el("div", { class: "chart" }),
          result = q.el("div", { class: "result" }, q.el("p", { class: "big", role: "status" }), q.el("div"));
        card.append(
          slider(result),
          result,
          q.el("h3", {}, q.t("curve")),
          second,
          q.el(
            "p",
            { class: "soft", id: "slider-note" },
            q.t("slider.exact." + thresholds.parameter),
            " ",
            thresholds.parameter === "threshold" && thresholds.values[0] > 0
              ? q.t("slider.low", q.value(thresholds.values[0]))
              : "",
          ),
        );
        told(result);
        q.curve(second, value());
      } else {
        card.append(
          q.el(
            "p",
            { class: "soft" },
            q.say(q.el("span"), q.t("slider.why." + thresholds.why, thresholds.said || thresholds.method)),
          ),
        );
      }
      q.histogram(first, state.score, lineAt());
    },
  });
})(window.quchong);
