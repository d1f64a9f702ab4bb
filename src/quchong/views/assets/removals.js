"use strict";
// The removed documents with their reasons: searched, filtered, sorted, saved.
(function (q) {
  const removals = q.model.removals,
    PAGE = 25;
  const state = { query: "", relation: "", source: "", page: 0, sort: null, down: false };

  const pairOf = (row) => (row.pair < 0 ? null : q.model.pairs[row.pair]);
  const COLUMNS = [
    { name: "relation", word: "column.relation", value: (k) => removals.relation[k] },
    { name: "document", word: "column.document", value: (k) => q.doc(removals.document[k]).id },
    { name: "survivor", word: "column.survivor", value: (k) => (removals.survivor[k] === null ? null : q.doc(removals.survivor[k]).id) },
    { name: "jaccard", word: "column.jaccard", high: true, value: (k) => removals.jaccard[k] },
    { name: "containment", word: "column.containment", high: true, value: (k) => removals.containment[k] },
    { name: "rule", word: "column.rule", value: (k) => q.rule(removals.rules[removals.rule[k]]) },
    { name: "changed", word: "column.changed", high: true, value: (k) => differing(k) },
  ];
  // Orders without a column of their own.
  const MORE = [
    { name: "distance", value: (k) => removals.distance[k] },
    { name: "source", value: (k) => q.doc(removals.document[k]).source },
    { name: "time", value: (k) => q.doc(removals.document[k]).seconds },
  ];
  const ORDERS = [
    ["run", "order.run", null],
    ["line", "order.line", "distance"],
    ["least", "order.least", "jaccard"],
    ["alike", "order.alike", "jaccard", true],
    ["id", "order.id", "document"],
    ["source", "order.source", "source"],
    ["time", "order.time", "time"],
  ];
  const differing = (k) => {
    const pair = removals.pair[k] < 0 ? null : q.model.pairs[removals.pair[k]];
    return pair ? pair.differences.length + pair.differences_out : null;
  };

  /** A text as it is searched: width, case and white space make no difference. */
  q.folded = (text) => text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();

  let words = null;
  const wordsOf = (q.wordsOf = (i) => {
    const d = q.doc(i);
    return `${d.id}\n${d.title}\n${d.source}\n${d.text ? d.text[0] : ""}`;
  });

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
    return q.inOrder(rows, [...COLUMNS, ...MORE], state);
  }

  const cell = (word, ...children) => q.el("td", { "data-label": q.t(word) }, children);

  function list(box) {
    const some = found(),
      pages = Math.max(1, Math.ceil(some.length / PAGE));
    state.page = Math.min(state.page, pages - 1);
    const numbers = () => some.map((k) => removals.pair[k]).filter((p) => p >= 0);
    const narrowed = state.query || state.relation !== "" || state.source !== "";
    const again = () => {
      state.page = 0;
      list(box);
    };
    q.clear(box).append(
      q.el(
        "div",
        { class: "bar" },
        q.el(
          "p",
          { class: "soft", role: "status" },
          narrowed
            ? q.t("removals.found", q.number(some.length), q.number(removals.document.length))
            : q.t("removals.shown", q.number(removals.document.length)),
        ),
        some.length > 1
          ? q.el("span", { class: "control" }, q.orders("removals-order", ORDERS, state, again), q.csvButton("removed", () => saved(some)))
          : "",
      ),
    );
    if (!some.length) {
      if (narrowed) box.append(q.el("p", {}, q.t("removals.none")));
      return;
    }
    q.fill(box, {}, [
      q.el(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": q.t("removals") },
        q.el(
          "table",
          { class: "rows" },
          q.sortingHead(COLUMNS, state, again),
          q.el(
            "tbody",
            {},
            some.slice(state.page * PAGE, (state.page + 1) * PAGE).map((k) => {
              const row = q.removal(k),
                pair = pairOf(row);
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

  function saved(some) {
    const head = [
      q.t("column.relation"), ...q.csvHead("column.document"), ...q.csvHead("column.survivor"),
      ...["column.jaccard", "column.containment", "column.rule", "column.changed"].map((word) => q.t(word)),
    ];
    const line = (k) => {
      const row = q.removal(k);
      return [
        q.t("relation." + row.relation), ...q.csvNames(row.document), ...q.csvNames(row.survivor),
        row.jaccard, row.containment, q.rule(row.rule), q.csvDifferences(pairOf(row)),
      ];
    };
    return [head, some.map(line)];
  }

  q.aside = aside;
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
})(window.quchong);
