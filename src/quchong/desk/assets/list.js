"use strict";
// Removed documents, or all listed pairs: filtered by the desk, page by page.
(function (q) {
  const state = { view: "removed", relation: "", rule: "", low: "", high: "", state: "", search: "", sort: "line", down: false, page: 0 };
  let found = null,
    asked = 0,
    timer = 0;

  async function load(focus) {
    const mine = ++asked;
    const answer = await q.read("list", state);
    if (!answer || mine !== asked) return null;
    found = answer;
    state.page = answer.page;
    rows(focus);
    return answer;
  }
  q.reload = () => load();

  /** Something was said of a pair: the row that shows it is drawn again. */
  q.changed = function (said) {
    for (const row of found?.rows || []) {
      if (row.pair === said.pair && row.removal === said.removal) Object.assign(row, said);
    }
    rows();
    q.measure();
  };

  function set(name, value) {
    state[name] = value;
    if (name === "sort") state.down = false;
    state.page = 0;
    load();
  }

  /** Opens a row of the list; the arrow keys go through the list, from page to page. */
  async function open(k) {
    const row = found.rows[k];
    const answer = await q.read("pair", { pair: row.pair, removal: row.removal });
    if (!answer) return;
    q.openShown(answer, {
      at: found.page * found.size + k,
      of: found.total,
      turn: async (by) => {
        const to = k + by;
        if (to >= 0 && to < found.rows.length) return open(to);
        state.page = found.page + by;
        if (await load()) return open(by > 0 ? 0 : found.rows.length - 1);
      },
    });
  }

  const select = (name, word, options) =>
    q.choose(
      "filter-" + name,
      word,
      options,
      state[name],
      (value) => set(name, value),
    );

  function filters(box) {
    const counts = found?.counts || { relation: {}, rule: {} };
    const all = ["", q.t("filter.all")];
    const named = (of, said) => Object.entries(of).map(([name, n]) => [name, q.t("counted", said(name), q.number(n))]);
    const number = (name, word) =>
      q.el(
        "span",
        { class: "control" },
        q.el("label", { for: "filter-" + name }, q.t(word)),
        q.el("input", {
          type: "number",
          id: "filter-" + name,
          min: 0,
          max: 1,
          step: 0.01,
          value: state[name],
          on: { change: (event) => set(name, event.target.value) },
        }),
      );
    q.fill(q.clear(box), {}, [
      q.el(
        "div",
        { class: "views", role: "group", "aria-label": q.t("desk.view") },
        ["removed", "pairs"].map((view) =>
          q.el(
            "button",
            {
              type: "button",
              "aria-pressed": String(state.view === view),
              "data-view": view,
              on: {
                click: async () => {
                  Object.assign(state, { view, relation: "", rule: "", page: 0 });
                  await load();
                  filters(box);
                  box.querySelector(`[data-view="${view}"]`).focus();
                },
              },
            },
            q.t("desk.view." + view),
          ),
        ),
      ),
      select("relation", "filter.relation", [all, ...named(counts.relation, (name) => q.t("relation." + name))]),
      select("rule", "desk.filter.rule", [all, ...named(counts.rule, q.rule)]),
      number("low", "desk.filter.low"),
      number("high", "desk.filter.high"),
      select(
        "state",
        "desk.filter.state",
        ["", "open", "accept", "overturn", "labelled", "unlabelled", "same", "contained", "different", "unsure"].map((name) => [
          name,
          name ? q.t("desk.state." + name) : q.t("filter.all"),
        ]),
      ),
      select(
        "sort",
        "desk.sort",
        ["line", "low", "high", "id"].map((name) => [name, q.t("desk.sort." + name)]),
      ),
      q.el(
        "span",
        { class: "control grow" },
        q.el("label", { for: "search" }, q.t("desk.search")),
        q.el("input", {
          type: "search",
          id: "search",
          value: state.search,
          on: {
            input: (event) => {
              clearTimeout(timer);
              const value = event.target.value;
              timer = setTimeout(() => set("search", value), 200);
            },
          },
        }),
      ),
    ]);
  }

  const cell = (word, ...children) => q.el("td", { "data-label": q.t(word) }, children);

  function pager() {
    if (found.pages < 2) return null;
    const turn = (word, by) =>
      q.el(
        "button",
        {
          type: "button",
          "data-turn": word,
          disabled: found.page + by < 0 || found.page + by >= found.pages,
          on: {
            click: () => {
              state.page = found.page + by;
              load(word);
            },
          },
        },
        q.t(word),
      );
    const said = q.t("page.of", q.number(found.page + 1), q.number(found.pages));
    return q.el(
      "nav",
      { class: "pager", "aria-label": said },
      turn("page.previous", -1),
      q.el("span", {}, said),
      turn("page.next", 1),
    );
  }

  function row(one, k) {
    const id = (i) => q.plain(q.doc(i).id);
    const said = [
      one.label ? q.el("span", { class: "tag" }, q.t("desk.label." + one.label)) : null,
      one.verdict ? q.el("span", { class: "tag " + one.verdict }, q.t("desk.state." + one.verdict)) : null,
    ];
    const label = one.right === null ? id(one.left) : q.t("open", id(one.left), id(one.right));
    return q.el(
      "tr",
      {},
      cell("column.relation", q.chip(one.relation), q.el("span", { class: "aside" }, q.rule(one.rule))),
      cell(state.view === "removed" ? "column.document" : "pair.left", q.name(one.left)),
      one.right === null
        ? cell("column.survivor", q.el("span", { class: "soft" }, q.t("unconfirmed")))
        : cell(state.view === "removed" ? "column.survivor" : "pair.right", q.name(one.right)),
      cell("column.jaccard", q.score(one.jaccard)),
      cell("column.containment", q.score(one.containment)),
      cell("desk.said", said),
      q.el(
        "td",
        {},
        q.el(
          "button",
          { type: "button", class: "link", "aria-label": label, "data-row": k, on: { click: () => open(k) } },
          q.t("see"),
        ),
      ),
    );
  }

  function rows(focus) {
    const box = q.byId("rows");
    if (!box || !found) return;
    q.model.documents = found.documents;
    const removed = state.view === "removed";
    const sorted = (name, word, high) => ({ name, word, high, value: true });
    const head = [
      sorted("relation", "column.relation"),
      sorted("left", removed ? "column.document" : "pair.left"),
      sorted("right", removed ? "column.survivor" : "pair.right"),
      sorted("jaccard", "column.jaccard", true),
      sorted("containment", "column.containment", true),
      { word: "desk.said" },
      {},
    ];
    const again = async () => {
      state.page = 0;
      const name = state.sort;
      await load();
      const choice = q.byId("filter-sort");
      if (choice) choice.value = state.down ? "" : name;
      q.byId("rows").querySelector(`[data-sort="${name}"]`)?.focus({ preventScroll: true });
    };
    q.fill(q.clear(box), {}, [
      q.el("p", { class: "soft", role: "status" }, q.t(removed ? "desk.found.removed" : "desk.found.pairs", q.number(found.total))),
      found.rows.length
        ? q.el(
            "div",
            { class: "scroll", tabindex: "0", role: "region", "aria-label": q.t("desk.list") },
            q.el(
              "table",
              { class: "rows desk-rows" },
              q.sortingHead(head, state, again),
              q.el("tbody", {}, found.rows.map(row)),
            ),
          )
        : q.el("p", {}, q.t("desk.found.none")),
      pager(),
    ]);
    if (focus) {
      const buttons = [...box.querySelectorAll(".pager button:not(:disabled)")];
      (buttons.find((b) => b.dataset.turn === focus) || buttons[0])?.focus({ preventScroll: true });
      q.byId("list").scrollIntoView();
    }
  }

  q.parts.push({
    id: "list",
    render(root) {
      const box = q.el("div", { class: "filters" });
      root.append(q.el("h2", {}, q.t("desk.list")), q.el("div", { class: "card" }, box, q.el("div", { id: "rows" })));
      filters(box);
      if (found) rows();
      else load().then(() => filters(box));
    },
  });
})(window.quchong);
