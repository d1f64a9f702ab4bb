"use strict";
// The variants that are kept: searched, sorted, saved.
(function (q) {
  const PAGE = 25;
  const kept = q.model.variants.filter((k) => q.model.conflicting.includes(q.model.pairs[k].relation));
  const state = { page: 0, query: "", sort: null, down: false };

  const facts = (pair) =>
    [...new Set(pair.differences.filter((d) => d[1]).map((d) => q.kind(d[0])))].join(q.t("list"));
  const COLUMNS = [
    { name: "left", word: "pair.left", value: (k) => q.doc(q.model.pairs[k].left).id },
    { name: "right", word: "pair.right", value: (k) => q.doc(q.model.pairs[k].right).id },
    { name: "jaccard", word: "column.jaccard", high: true, value: (k) => q.model.pairs[k].measures[0] },
    { name: "rule", word: "column.rule", value: (k) => q.rule(q.model.pairs[k].rule) },
    { name: "changed", word: "column.changed", value: (k) => facts(q.model.pairs[k]) },
  ];
  const ORDERS = [
    ["run", "order.alike", null],
    ["least", "order.least", "jaccard"],
    ["facts", "order.facts", "changed"],
    ["id", "order.id", "left"],
  ];

  let words = null;
  function found() {
    const wanted = q.folded(state.query);
    if (wanted) words ??= new Map(kept.map((k) => [k, q.folded([q.model.pairs[k].left, q.model.pairs[k].right].map(q.wordsOf).join("\n"))]));
    return q.inOrder(wanted ? kept.filter((k) => words.get(k).includes(wanted)) : kept, COLUMNS, state);
  }

  const cell = (word, ...children) => q.el("td", { "data-label": q.t(word) }, children);

  function row(k, some) {
    const pair = q.model.pairs[k];
    return q.el(
      "tr",
      {},
      cell("pair.left", q.name(pair.left), q.aside(pair.left)),
      cell("pair.right", q.name(pair.right), q.aside(pair.right)),
      cell("column.jaccard", q.score(pair.measures[0])),
      cell("column.rule", q.rule(pair.rule)),
      cell("column.changed", q.el("p", { class: "changes" }, q.changes(pair, 3)), q.pairButton(pair.left, pair.right, () => some)),
    );
  }

  function list(box) {
    const some = found(),
      pages = Math.max(1, Math.ceil(some.length / PAGE));
    state.page = Math.min(state.page, pages - 1);
    const again = () => {
      state.page = 0;
      list(box);
    };
    q.fill(q.clear(box), {}, [
      q.el(
        "div",
        { class: "bar" },
        q.el("p", { class: "soft", role: "status" }, q.t("variants.shown", q.number(some.length), q.number(Math.max(kept.length, q.model.left_out.variants)))),
        q.el("span", { class: "control" }, q.orders("variants-order", ORDERS, state, again), q.csvButton("variants", () => saved(some))),
      ),
      some.length
        ? q.el(
            "div",
            { class: "scroll", tabindex: "0", role: "region", "aria-label": q.t("variants") },
            q.el(
              "table",
              { class: "rows variant-rows" },
              q.sortingHead(COLUMNS, state, again),
              q.el("tbody", {}, some.slice(state.page * PAGE, (state.page + 1) * PAGE).map((k) => row(k, some))),
            ),
          )
        : q.el("p", {}, q.t("variants.found.none")),
      q.pager(state.page, pages, (to) => {
        state.page = to;
        list(box);
      }),
    ]);
  }

  function saved(some) {
    const head = [...q.csvHead("pair.left"), ...q.csvHead("pair.right"), ...["column.jaccard", "column.rule", "column.changed"].map((w) => q.t(w))];
    return [
      head,
      some.map((k) => {
        const pair = q.model.pairs[k];
        return [...q.csvNames(pair.left), ...q.csvNames(pair.right), pair.measures[0], q.rule(pair.rule), q.csvDifferences(pair)];
      }),
    ];
  }

  q.parts.push({
    id: "variants",
    render(root) {
      root.append(q.el("h2", {}, q.t("variants")));
      if (!kept.length) {
        root.append(q.el("p", { class: "soft" }, q.t("variants.none")));
        return;
      }
      const list_ = q.el("div");
      const input = q.el("input", {
        type: "search", id: "variants-search", autocomplete: "off", placeholder: q.t("search.hint"), "aria-label": q.t("search"),
        on: {
          input: () => {
            state.query = input.value;
            state.page = 0;
            list(list_);
          },
        },
      });
      input.value = state.query;
      root.append(q.el("p", { class: "soft" }, q.t("variants.note")), q.el("div", { class: "card" }, kept.length > 5 ? input : null, list_));
      list(list_);
    },
  });
})(window.quchong);
