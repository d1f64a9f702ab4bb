"use strict";
// The removed documents with their reasons, searched and filtered; and the variants that stay.
(function (q) {
  const removals = q.model.removals,
    PAGE = 25;
  const state = { query: "", relation: "", source: "", page: 0 };

  /** A text as it is searched: width, case and white space make no difference. */
  q.folded = (text) => text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();

  let words = null;
  const wordsOf = (i) => {
    const d = q.doc(i);
    return `${d.id}\n${d.title}\n${d.source}\n${d.text ? d.text[0] : ""}`;
  };

  function found() {
    const wanted = q.folded(state.query),
      rows = [];
    if (wanted) words ??= removals.document.map((i) => q.folded(wordsOf(i)));
    for (let k = 0; k < removals.document.length; k++) {
      if (state.relation !== "" && removals.relation[k] !== Number(state.relation)) continue;
      if (state.source !== "" && q.model.documents.source[removals.document[k]] !== Number(state.source)) continue;
      if (wanted && !words[k].includes(wanted)) continue;
      rows.push(k);
    }
    return rows;
  }

  const cell = (word, ...children) => q.el("td", { "data-label": q.t(word) }, children);

  function list(box) {
    const some = found(),
      pages = Math.max(1, Math.ceil(some.length / PAGE));
    state.page = Math.min(state.page, pages - 1);
    const numbers = () => some.map((k) => removals.pair[k]).filter((p) => p >= 0);
    const narrowed = state.query || state.relation !== "" || state.source !== "";
    q.clear(box).append(
      q.el(
        "p",
        { class: "soft", role: "status" },
        narrowed
          ? q.t("removals.found", q.number(some.length), q.number(removals.document.length))
          : q.t("removals.shown", q.number(removals.document.length)),
      ),
    );
    if (!some.length) {
      if (narrowed) box.append(q.el("p", {}, q.t("removals.none")));
      return;
    }
    const head = [
      "column.relation",
      "column.document",
      "column.survivor",
      "column.jaccard",
      "column.containment",
      "column.rule",
      "column.changed",
    ];
    q.fill(box, {}, [
      q.el(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": q.t("removals") },
        q.el(
          "table",
          { class: "rows" },
          q.el(
            "thead",
            {},
            q.el(
              "tr",
              {},
              head.map((h) => q.el("th", { scope: "col" }, q.t(h))),
            ),
          ),
          q.el(
            "tbody",
            {},
            some.slice(state.page * PAGE, (state.page + 1) * PAGE).map((k) => {
              const row = q.removal(k),
                pair = row.pair < 0 ? null : q.model.pairs[row.pair];
              return q.el(
                "tr",
                {},
                cell("column.relation", q.chip(row.relation)),
                cell("column.document", q.name(row.document), aside(row.document)),
                row.survivor === null
                  ? cell("column.survivor", q.el("span", { class: "soft" }, q.t("unconfirmed")))
                  : cell("column.survivor", q.name(row.survivor), aside(row.survivor)),
                cell("column.jaccard", q.score(row.jaccard)),
                cell("column.containment", q.score(row.containment)),
                cell("column.rule", q.rule(row.rule)),
                cell(
                  "column.changed",
                  pair && pair.differences.length ? q.el("p", { class: "changes" }, q.changes(pair, 2)) : null,
                  row.survivor === null ? null : q.pairButton(row.document, row.survivor, numbers),
                ),
              );
            }),
          ),
        ),
      ),
      q.pager(state.page, pages, (page) => {
        state.page = page;
        list(box);
      }),
    ]);
  }

  function aside(i) {
    const d = q.doc(i),
      when = q.moment(d);
    return q.el("span", { class: "aside" }, q.shown(d.source), when ? [" · ", q.shown(when)] : null);
  }

  function controls(box) {
    let waiting = 0;
    const again = () => {
      state.page = 0;
      list(box);
    };
    const input = q.el("input", {
      type: "search",
      id: "search",
      autocomplete: "off",
      placeholder: q.t("search.hint"),
      on: {
        input: () => {
          state.query = input.value;
          clearTimeout(waiting);
          waiting = setTimeout(again, 120);
        },
      },
    });
    input.value = state.query;
    const pick = (name, options) => {
      const select = q.el(
        "select",
        {
          id: "filter-" + name,
          on: {
            change: () => {
              state[name] = select.value;
              again();
            },
          },
        },
        q.el("option", { value: "" }, q.t("filter.all")),
        options.map(([value, said]) => q.el("option", { value }, said)),
      );
      select.value = state[name];
      return q.el(
        "span",
        { class: "control" },
        q.el("label", { for: "filter-" + name }, q.t("filter." + name)),
        " ",
        select,
      );
    };
    const relations = [...new Set(removals.relation)]
      .sort((a, b) => a - b)
      .map((r) => [r, q.t("relation." + q.model.relations[r])]);
    const sources = [...new Set(removals.document.map((i) => q.model.documents.source[i]))]
      .slice(0, 500)
      .map((s) => [s, q.plain(q.model.documents.sources[s])])
      .sort((a, b) => a[1].localeCompare(b[1]));
    return q.el(
      "div",
      { class: "controls" },
      q.el("span", { class: "control grow" }, q.el("label", { for: "search" }, q.t("search")), " ", input),
      pick("relation", relations),
      sources.length > 1 ? pick("source", sources) : null,
    );
  }

  q.parts.push({
    id: "removals",
    render(root) {
      const box = q.el("div");
      root.append(
        q.el("h2", {}, q.t("removals")),
        q.el("div", { class: "card" }, removals.document.length ? controls(box) : null, box),
      );
      list(box);
    },
  });

  const kept = q.model.variants.filter((k) => q.model.conflicting.includes(q.model.pairs[k].relation));
  let page = 0;

  function variants(box) {
    const pages = Math.max(1, Math.ceil(kept.length / PAGE));
    q.clear(box);
    q.fill(box, {}, [
      q.el(
        "ul",
        { class: "plain members" },
        kept.slice(page * PAGE, (page + 1) * PAGE).map((k) => {
          const pair = q.model.pairs[k];
          return q.el(
            "li",
            {},
            q.el("p", {}, q.name(pair.left), " ", aside(pair.left)),
            q.el("p", {}, q.name(pair.right), " ", aside(pair.right)),
            q.el(
              "p",
              { class: "changes" },
              q.changes(pair, 4),
              " ",
              q.el(
                "span",
                { class: "soft small" },
                `${q.t("score.jaccard")} ${q.score(pair.measures[0])} · ${q.rule(pair.rule)}`,
              ),
              " ",
              q.pairButton(pair.left, pair.right, () => kept),
            ),
          );
        }),
      ),
      q.pager(page, pages, (to) => {
        page = to;
        variants(box);
      }),
    ]);
  }

  q.parts.push({
    id: "variants",
    render(root) {
      root.append(q.el("h2", {}, q.t("variants")));
      if (!kept.length) {
        root.append(q.el("p", { class: "soft" }, q.t("variants.none")));
        return;
      }
      const box = q.el("div", { class: "card" });
      root.append(
        q.el(
          "p",
          { class: "soft" },
          q.t("variants.note"),
          " ",
          q.t("variants.shown", q.number(kept.length), q.number(Math.max(kept.length, q.model.left_out.variants))),
        ),
        box,
      );
      variants(box);
    },
  });
})(window.quchong);
