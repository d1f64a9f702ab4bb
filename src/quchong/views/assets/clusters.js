"use strict";
// The biggest clusters: a list to choose from, and the chosen one as list, graph or time line.
(function (q) {
  const clusters = q.model.clusters,
    removals = q.model.removals;
  const PAGE = 12;
  const state = { chosen: 0, view: "list", page: 0, query: "", sort: null, down: false };
  const first = (c) => {
    const times = [c.survivor, ...c.members].map((i) => q.doc(i).seconds).filter((t) => t !== null);
    return times.length ? Math.min(...times) : null;
  };
  const COLUMNS = [
    { name: "title", value: (k) => q.doc(clusters[k].survivor).title || q.doc(clusters[k].survivor).id },
    { name: "id", value: (k) => q.doc(clusters[k].survivor).id },
    { name: "source", value: (k) => q.doc(clusters[k].survivor).source },
    { name: "time", value: (k) => first(clusters[k]) },
  ];
  const ORDERS = [
    ["size", "order.size", null],
    ...["title", "id", "source", "time"].map((name) => [name, "order." + name, name]),
  ];

  /** A row of the list of removals; null where it is not in the page. */
  q.removal = (k) =>
    k < 0
      ? null
      : {
          document: removals.document[k],
          survivor: removals.survivor[k],
          relation: q.model.relations[removals.relation[k]],
          jaccard: removals.jaccard[k],
          containment: removals.containment[k],
          rule: removals.rules[removals.rule[k]],
          pair: removals.pair[k],
        };

  const numbers = (cluster) => () => cluster.members.map((i) => q.pairOf(i, cluster.survivor)).filter((k) => k >= 0);

  function table(cluster) {
    return q.el(
      "ul",
      { class: "plain members" },
      q.el(
        "li",
        { class: "survivor" },
        q.el("span", { class: "tag stays" }, q.t("cluster.survivor")),
        " ",
        q.name(cluster.survivor),
        " ",
        aside(cluster.survivor),
      ),
      cluster.members.map((i, k) => {
        const row = q.removal(cluster.rows[k]),
          pair = q.model.pairs[q.pairOf(i, cluster.survivor)];
        return q.el(
          "li",
          {},
          row ? [q.chip(row.relation), " "] : null,
          q.name(i),
          " ",
          aside(i),
          row && row.jaccard !== null
            ? q.el("span", { class: "soft small" }, ` ${q.t("score.jaccard")} ${q.score(row.jaccard)} `)
            : null,
          q.pairButton(i, cluster.survivor, numbers(cluster)),
          pair && pair.differences.length ? q.el("p", { class: "changes" }, q.changes(pair, 3)) : null,
        );
      }),
    );
  }

  function aside(i) {
    const d = q.doc(i),
      when = q.moment(d);
    return q.el("span", { class: "soft small" }, q.shown(d.source), when ? [" · ", q.shown(when)] : null);
  }

  function detail(box) {
    const cluster = clusters[state.chosen];
    const rows = q.removal,
      survivor = q.doc(cluster.survivor);
    const tab = (view) =>
      q.el(
        "button",
        {
          type: "button",
          "aria-pressed": state.view === view ? "true" : "false",
          on: {
            click: () => {
              state.view = view;
              detail(box);
              box.querySelector(`.views button:nth-child(${1 + views.indexOf(view)})`).focus();
            },
          },
        },
        q.t("cluster." + view),
      );
    const views = ["list", "graph", "line"];
    const rest = cluster.size - 1 - cluster.members.length;
    q.clear(box).append(
      q.el(
        "div",
        { class: "bar" },
        q.el(
          "h3",
          {},
          q.shown(survivor.title || survivor.id),
          " ",
          q.el("span", { class: "soft" }, q.t("cluster.size", q.number(cluster.size))),
        ),
        q.el("div", { class: "views", role: "group", "aria-label": q.t("cluster.views") }, views.map(tab)),
      ),
    );
    const shown = {
      list: table,
      graph: (c) => q.graph(c, rows, numbers(c)),
      line: (c) => q.timeline(c, rows, numbers(c)),
    }[state.view](cluster);
    q.fill(box, {}, [shown, state.view === "line" ? q.clusterMatrix(cluster) : null, rest > 0 ? q.el("p", { class: "soft" }, q.t("cluster.rest", q.number(rest))) : null]);
    const graph = box.querySelector(".graph-box");
    if (graph) graph.scrollLeft = (graph.scrollWidth - graph.clientWidth) / 2; // the kept document is in sight on a phone
  }

  let words = null;
  function found() {
    words ??= clusters.map((c) =>
      q.folded(
        [c.survivor, ...c.members]
          .map((i) => {
            const d = q.doc(i);
            return `${d.id} ${d.title} ${d.source}`;
          })
          .join("\n"),
      ),
    );
    const wanted = q.folded(state.query);
    const some = clusters.map((_, k) => k).filter((k) => !wanted || words[k].includes(wanted));
    return q.inOrder(some, COLUMNS, state);
  }

  /** Every document of the clusters found, a row for each. */
  function saved() {
    const head = [q.t("csv.cluster"), ...["csv.id", "csv.title.of", "filter.source", "csv.time", "csv.state", "column.relation", "column.jaccard", "column.containment"].map((w) => q.t(w))];
    const line = (c, i, row) => [
      q.doc(c.survivor).id, ...q.csvNames(i), q.t(i === c.survivor ? "pair.kept" : "pair.removed"),
      row ? q.t("relation." + row.relation) : "", row ? row.jaccard : "", row ? row.containment : "",
    ];
    const of = (c) => [line(c, c.survivor, null), ...c.members.map((i, n) => line(c, i, q.removal(c.rows[n])))];
    return [head, found().flatMap((k) => of(clusters[k]))];
  }

  function choice(box, box2) {
    const some = found(),
      pages = Math.max(1, Math.ceil(some.length / PAGE));
    state.page = Math.min(state.page, pages - 1);
    const here = some.slice(state.page * PAGE, (state.page + 1) * PAGE);
    q.clear(box);
    if (!some.length) {
      box.append(q.el("p", { class: "soft" }, q.t("clusters.none")));
      return;
    }
    q.fill(box, {}, [
      q.el(
        "ul",
        { class: "plain choice" },
        here.map((k) => {
          const c = clusters[k],
            d = q.doc(c.survivor);
          return q.el(
            "li",
            {},
            q.el(
              "button",
              {
                type: "button",
                "aria-current": k === state.chosen ? "true" : false,
                on: {
                  click: () => {
                    state.chosen = k;
                    choice(box, box2);
                    detail(box2);
                    box.querySelector("[aria-current]")?.focus();
                  },
                },
              },
              q.el("span", { class: "size" }, q.number(c.size)),
              q.el(
                "span",
                { class: "name" },
                q.shown(d.title || d.id),
                q.el("span", { class: "soft small" }, q.shown(d.id)),
              ),
            ),
          );
        }),
      ),
      q.pager(state.page, pages, (page) => {
        state.page = page;
        choice(box, box2);
      }),
    ]);
  }

  q.parts.push({
    id: "clusters",
    render(root) {
      root.append(
        q.el("h2", {}, q.t("clusters")),
        q.el(
          "p",
          { class: "soft" },
          q.t("clusters.note"),
          " ",
          q.t("clusters.shown", q.number(clusters.length), q.number(q.model.left_out.clusters)),
        ),
      );
      if (!clusters.length) return;
      const left = q.el("div"),
        right = q.el("div", { class: "card detail" });
      const input = q.el("input", {
        type: "search",
        id: "clusters-search",
        autocomplete: "off",
        placeholder: q.t("clusters.search"),
        "aria-label": q.t("clusters.search"),
        on: {
          input: () => {
            state.query = input.value;
            state.page = 0;
            choice(left, right);
          },
        },
      });
      input.value = state.query;
      const again = () => {
        state.page = 0;
        choice(left, right);
      };
      const tools =
        clusters.length > 1
          ? q.el("div", { class: "bar list-tools" }, q.orders("clusters-order", ORDERS, state, () => {
              again();
              tools.querySelector("select").value = ORDERS.find(([, , sort]) => sort === state.sort)[0];
            }), q.csvButton("clusters", saved))
          : null;
      root.append(q.el("div", { class: "master" }, q.el("div", { class: "card" }, input, tools, left), right));
      choice(left, right);
      detail(right);
    },
  });
})(window.quchong);
