"use strict";
// Tables whose rows are sorted by a click on a head, and lists that are saved as CSV.
(function (q) {
  /** Compares two values of a column; what is missing comes last in either direction. */
  function compare(a, b, down) {
    const [none, other] = [a, b].map((v) => v === null || v === undefined || v === "");
    if (none || other) return none - other;
    const order = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), q.tag(), { numeric: true });
    return down ? -order : order;
  }

  /** The rows in the order chosen; without one as they came. `columns` have a name, a word, and the value of a row. */
  q.inOrder = function (rows, columns, state) {
    const column = columns.find((one) => one.name === state.sort);
    if (!column) return rows;
    const values = new Map(rows.map((row) => [row, column.value(row)]));
    return [...rows].sort((a, b) => compare(values.get(a), values.get(b), state.down));
  };

  /** A head whose columns sort: a click or a key sorts, the next one turns the order round. Scores begin with the highest. */
  q.sortingHead = function (columns, state, again) {
    const cell = (column) => {
      if (!column.value || !column.word) return column.word ? q.el("th", { scope: "col" }, q.t(column.word)) : q.el("td", {});
      const here = state.sort === column.name;
      const press = (event) => {
        const box = event.currentTarget.closest("section");
        state.down = here ? !state.down : Boolean(column.high);
        state.sort = column.name;
        again();
        box.querySelector(`[data-sort="${column.name}"]`)?.focus({ preventScroll: true });
      };
      return q.el(
        "th",
        { scope: "col", "aria-sort": here ? (state.down ? "descending" : "ascending") : null },
        q.el(
          "button",
          { type: "button", class: "sorting", "data-sort": column.name, title: q.t("sort.by"), on: { click: press } },
          q.t(column.word),
          q.el("span", { class: "arrow", "aria-hidden": "true" }, here ? (state.down ? "▼" : "▲") : "↕"),
        ),
      );
    };
    return q.el("thead", {}, q.el("tr", {}, columns.map(cell)));
  };

  /** A choice of order for lists, and for tables whose head a phone does not show; each option is [name, word, sort, down]. */
  q.orders = function (id, options, state, again) {
    const chosen = options.find(([, , sort, down]) => state.sort === sort && Boolean(state.down) === Boolean(down));
    const some = options.map(([name, word]) => [name, q.t(word)]);
    if (!chosen) some.push(["", q.t("order.head")]);
    return q.choose(id, "order", some, chosen ? chosen[0] : "", (name) => {
      const found = options.find((one) => one[0] === name);
      if (!found) return;
      [state.sort, state.down] = [found[2], Boolean(found[3])];
      again();
      q.byId(id).focus({ preventScroll: true });
    });
  };

  /** One cell of CSV. What a spreadsheet would take for a formula gets an apostrophe. */
  function cell(value) {
    if (value === null || value === undefined) return "";
    if (typeof value === "number") return String(value);
    const text = /^[=+\-@\t\r]/.test(value) ? "'" + value : value;
    return /[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  }

  /** Rows as CSV, in UTF-8 with a mark at the beginning, by which spreadsheets know it. */
  q.asCsv = (head, rows) => "\ufeff" + [head, ...rows].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";

  /** A button that saves rows as a CSV file; `made` gives head and rows when it is pressed. A notebook's frame may save nothing. */
  q.csvButton = function (name, made) {
    if (window.location.protocol === "about:") return null;
    const save = () => {
      const [head, rows] = made();
      const address = URL.createObjectURL(new Blob([q.asCsv(head, rows)], { type: "text/csv;charset=utf-8" }));
      const file = `${q.model.about.name.replace(/[^\p{L}\p{N}._-]+/gu, "_")}-${name}.csv`;
      q.el("a", { href: address, download: file }).click();
      setTimeout(() => URL.revokeObjectURL(address), 1000);
    };
    return q.el("button", { type: "button", class: "csv", title: q.t("csv.title"), on: { click: save } }, q.t("csv"));
  };

  /** Both documents of a pair as cells: id, title, source, time. */
  q.csvNames = (i) => {
    if (i === null || i === undefined) return ["", "", "", ""];
    const d = q.doc(i);
    return [d.id, d.title || "", d.source || "", q.moment(d) || ""];
  };
  q.csvHead = (word) => ["csv.id", "csv.title.of", "filter.source", "csv.time"].map((part) => `${q.t(word)}: ${q.t(part)}`);

  /** What differs in a pair, as one cell: the texts as they stand beside each other. */
  q.csvDifferences = (pair) =>
    pair ? pair.differences.map((d) => `${q.kind(d[0])}: ${d[6] || q.t("pair.nothing")} → ${d[7] || q.t("pair.nothing")}`).join("; ") : "";
})(window.quchong);
