"use strict";
// Who reprinted whom: a table of media, the matrix of sources and reprints, series, and chains of which nothing was removed.
(function (q) {
  const media = q.model.media;
  q.hasMedia = media.names.length > 0;

  const name = (k) => (media.names[k] ? q.shown(media.names[k]) : q.el("i", {}, q.t("media.unknown")));
  const plain = (k) => (media.names[k] ? q.plain(media.names[k]) : q.t("media.unknown"));
  const lag = (seconds) => (seconds === null ? "" : q.span(seconds));
  const head = (words) =>
    q.el("thead", {}, q.el("tr", {}, words.map((w) => q.el("th", { scope: "col" }, w))));
  const scroll = (label, table) => q.el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, table);

  /** One row for each medium. */
  function summary() {
    const columns = ["medium", "originals", "reprinted", "reprints", "lag", "issues"].map((c) => q.t("media." + c));
    const rows = media.rows.map((row, k) =>
      q.el(
        "tr",
        {},
        q.el("th", { scope: "row", "data-label": columns[0] }, name(k)),
        row.map((value, c) =>
          q.el("td", { "data-label": columns[c + 1] }, c === 3 ? lag(value) : value ? q.number(value) : ""),
        ),
      ),
    );
    return scroll(q.t("media"), q.el("table", { class: "rows media" }, head(columns), q.el("tbody", {}, rows)));
  }

  /**
   * Media as rows and columns, of cells [source, reprinting medium, reprints, median lag]: the darker a cell, the more reprints.
   * `name` and `plain` give the name of a medium as an element and as text.
   */
  function matrix(cells, name, plain) {
    if (!cells.length) return null;
    const sources = [...new Set(cells.map((c) => c[0]))],
      copies = [...new Set(cells.map((c) => c[1]))].sort((a, b) => a - b);
    const most = Math.max(...cells.map((c) => c[2]));
    const at = new Map(cells.map((c) => [c[0] + "," + c[1], c]));
    const cell = (a, b) => {
      const found = at.get(a + "," + b);
      if (!found) return q.el("td", {});
      const told = `${plain(a)} → ${plain(b)}: ${q.t("media.cell", q.number(found[2]), lag(found[3]) || "–")}`;
      const node = q.el("td", { class: "cell", title: told }, q.number(found[2]), " ", q.el("span", { class: "soft small" }, lag(found[3])));
      node.style.setProperty("--share", String(found[2] / most));
      return node;
    };
    const label = q.t("media.matrix");
    return [
      q.el("h3", {}, label),
      scroll(
        label,
        q.el(
          "table",
          { class: "matrix" },
          q.el("thead", {}, q.el("tr", {}, q.el("td", {}), copies.map((k) => q.el("th", { scope: "col" }, name(k))))),
          q.el(
            "tbody",
            {},
            sources.map((a) => q.el("tr", {}, q.el("th", { scope: "row" }, name(a)), copies.map((b) => cell(a, b)))),
          ),
        ),
      ),
    ];
  }

  /** The matrix of one cluster, from its time line, and the number of reprints whose source is undecided. */
  q.clusterMatrix = (cluster) => {
    const names = [],
      found = new Map();
    const number = (i) => {
      const source = q.doc(i).source || "";
      if (!names.includes(source)) names.push(source);
      return names.indexOf(source);
    };
    let undecided = 0;
    for (const step of cluster.line) {
      if (step.origin === undefined || step.role === "series") continue;
      if (step.certainty === "undecided") {
        undecided += 1;
        continue;
      }
      const pair = [number(step.origin), number(step.document)],
        [before, after] = [q.doc(step.origin).published, q.doc(step.document).published];
      const cell = found.get(pair.join()) ?? { pair, n: 0, lags: [] };
      cell.n += 1;
      if (before !== null && after !== null) cell.lags.push(after - before);
      found.set(pair.join(), cell);
    }
    const median = (values) => {
      const some = [...values].sort((a, b) => a - b),
        k = some.length >> 1;
      return some.length ? (some.length % 2 ? some[k] : (some[k - 1] + some[k]) / 2) : null;
    };
    const cells = [...found.values()].map(({ pair, n, lags }) => [...pair, n, median(lags)]);
    const shown = (k) => (names[k] ? q.shown(names[k]) : q.el("i", {}, q.t("media.unknown")));
    const said = (k) => (names[k] ? q.plain(names[k]) : q.t("media.unknown"));
    return [matrix(cells, shown, said), undecided ? q.el("p", { class: "soft" }, q.t("media.undecided", q.number(undecided))) : null];
  };

  /** A document in a line, with its medium and time. */
  function line(i) {
    const d = q.doc(i),
      when = q.moment(d);
    return [q.name(i), " ", q.el("span", { class: "aside" }, q.shown(d.source), when ? [" · ", q.shown(when)] : null)];
  }

  /** Lists that open one by one. */
  function folded(word, some, more, title, item) {
    if (!some.length) return null;
    return q.el(
      "div",
      { class: "card" },
      q.el("h3", {}, q.t(word)),
      some.map((one) =>
        q.el("details", {}, q.el("summary", {}, title(one)), q.el("ol", { class: "plain members" }, one.map((x) => q.el("li", {}, item(x))))),
      ),
      more ? q.el("p", { class: "soft" }, q.t("media.rest", q.number(more))) : null,
    );
  }

  const size = (i, n, word) => [q.name(i), " ", q.el("span", { class: "soft" }, q.t(word, q.number(n)))];

  function step(one) {
    const changed = one.changed[q.language];
    return [
      q.el("p", {}, line(one.document)),
      one.source === null
        ? null
        : q.el("p", { class: "soft" }, q.t("line.from"), " ", q.shown(q.doc(one.source).source), " ", q.shown(q.doc(one.source).id, { class: "doc-id" })),
      changed ? q.el("p", { class: "changes" }, q.el("b", {}, q.t("line.changed")), " ", q.shown(changed)) : null,
    ];
  }

  q.parts.push({
    id: "media",
    render(root) {
      root.hidden = !q.hasMedia;
      if (!q.hasMedia) return;
      const soft = (word, n) => (n ? q.el("p", { class: "soft" }, q.t(word, q.number(n))) : null);
      q.fill(root, {}, [
        q.el("h2", {}, q.t("media")),
        q.el("p", { class: "soft" }, q.t("media.note")),
        q.el(
          "div",
          { class: "card" },
          summary(),
          matrix(media.cells, name, plain),
          soft("media.undecided", media.undecided),
          soft("media.more", media.more),
          soft("media.limited", media.limited),
        ),
        folded("media.series", media.series, media.series_more, (s) => size(s[0], s.length, "media.series.size"), line),
        folded("media.kept", media.kept, media.kept_more, (c) => size(c[0].document, c.length, "cluster.size"), step),
      ]);
    },
  });
})(window.quchong);
