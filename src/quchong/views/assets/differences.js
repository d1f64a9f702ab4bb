"use strict";
// What differs between two documents, above their texts: a list, the way from one difference to the next, and the fields of both rows.
(function (q) {
  const dialog = q.byId("pair"),
    BRIEF = 70;
  let chosen = -1; // the difference looked at

  q.forgetDifference = () => {
    chosen = -1;
  };

  /** Scrolls the texts to a mark and lets it shine: on one side, or on both. The dialog moves only where the texts are out of sight. */
  q.reveal = function (selector, side) {
    dialog.querySelectorAll(".shine").forEach((n) => n.classList.remove("shine"));
    const boxes = [...dialog.querySelectorAll(".text")];
    boxes.forEach((box, k) => {
      const found = [...box.querySelectorAll(selector)];
      found.forEach((n) => n.classList.add("shine"));
      if (!found.length || (side !== undefined && side !== k)) return;
      const fold = found[0].closest(".folded[hidden]");
      if (fold) box.querySelector(`button[data-fold="${fold.dataset.fold}"]`)?.click();
      const at = found[0].getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
      box.scrollTop = at - box.clientHeight / 3;
    });
    q.aligned();
  };

  /** Goes to a difference of the list; those that no text shows are only named. */
  function go(pair, n) {
    chosen = n;
    dialog.querySelectorAll(".difference").forEach((b, k) => {
      if (k === n) b.setAttribute("aria-current", "true");
      else b.removeAttribute("aria-current");
    });
    const row = dialog.querySelectorAll(".difference")[n],
      list = row?.closest(".differences");
    if (list) list.scrollTop = row.parentElement.offsetTop - list.offsetTop - list.clientHeight / 3;
    const at = dialog.querySelector(".difference-at");
    if (at) at.textContent = q.t("pair.of", q.number(n + 1), q.number(pair.differences.length));
    q.reveal(`[data-difference="${n}"]`);
  }

  /** The next difference, the first one where none was looked at; after the last comes the first again. */
  q.nextDifference = function (pair, by) {
    const many = pair.differences.length;
    if (!many) return;
    go(pair, chosen < 0 ? (by > 0 ? 0 : many - 1) : (chosen + by + many) % many);
  };

  const side = (said) =>
    said ? q.shown(said.length > BRIEF ? said.slice(0, BRIEF).replace(/[\ud800-\udbff]$/, "") + "…" : said) : q.el("i", {}, q.t("pair.nothing"));

  /** One difference: what is on one side alone is called so, all else is removed → kept, as the texts stand below. */
  function said(d) {
    if (d[6] && d[7]) return [side(d[6]), " → ", side(d[7])];
    return [q.el("em", {}, q.t(d[6] ? "pair.only.left" : "pair.only.right")), " ", side(d[6] || d[7])];
  }

  function row(pair, d, n) {
    const about = { type: "button", class: "difference", title: q.t("pair.jump"), on: { click: () => go(pair, n) } };
    return q.el(
      "li",
      { class: q.group(d[0]) + (d[1] ? " conflict" : "") },
      q.el("button", about, q.el("b", {}, q.kind(d[0]), d[1] ? " · " + q.t("pair.conflict") : ""), " ", said(d)),
    );
  }

  function switched(word, on, chosen) {
    const box = q.el("input", { type: "checkbox", on: { change: () => chosen(box.checked) } });
    box.checked = on;
    return q.el("label", { class: "switch" }, box, " ", q.t(word));
  }

  /** The fields in which both rows differ, by name. */
  function names(pair) {
    if (pair.right === null) return [];
    const [a, b] = [pair.left, pair.right].map((i) => q.doc(i).fields?.shown || {});
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => a[name] !== b[name]);
  }

  /** The list of what differs with its buttons; `again` draws the pair anew. */
  q.whatDiffers = function (pair, folds, again) {
    const many = pair.differences.length,
      fields = names(pair);
    const button = (word, by, sign) =>
      q.el(
        "button",
        { type: "button", "data-difference-step": by, "aria-label": q.t(word), title: q.t(word), on: { click: () => q.nextDifference(pair, by) } },
        sign,
      );
    const steps = many
      ? [
          q.el("span", { class: "soft difference-at", role: "status" }, q.t("pair.differences.many", q.number(many + pair.differences_out))),
          button("pair.difference.previous", -1, "↑"),
          button("pair.difference.next", 1, "↓"),
        ]
      : null;
    const none = q.t(q.model.equal.includes(pair.relation) ? "pair.exact" : "pair.differences.none");
    return q.el(
      "section",
      { class: "what-differs" },
      q.el(
        "div",
        { class: "bar" },
        q.el("h3", {}, q.t("pair.differences"), " ", q.el("span", { class: "control" }, steps)),
        q.el(
          "span",
          { class: "control switches" },
          pair.right === null ? null : switched("lock", q.locked, (on) => {
            q.locked = on;
          }),
          folds.length ? switched("fold", q.folding, (on) => {
            q.folding = on;
            again();
          }) : null,
        ),
      ),
      many
        ? q.el("ul", { class: "plain differences", tabindex: many > 4 ? 0 : false }, pair.differences.map((d, n) => row(pair, d, n)))
        : q.el("p", { class: "soft" }, none),
      pair.differences_out ? q.el("p", { class: "soft" }, q.t("more", q.number(pair.differences_out))) : null,
      fields.length
        ? q.el("p", { class: "soft" }, q.t("pair.fields.differ"), " ", fields.map((name, k) => [k ? q.t("list") : null, q.shown(name)]))
        : null,
    );
  };

  /** The fields of both rows beside each other. */
  q.bothFields = function (left, right) {
    const a = q.doc(left).fields,
      b = q.doc(right).fields;
    const names = [...new Set([...Object.keys(a?.shown || {}), ...Object.keys(b?.shown || {})])];
    if (!names.length) return null;
    const more = Math.max(a?.more || 0, b?.more || 0);
    const cell = (value) =>
      q.el("td", {}, value === undefined ? q.el("i", { class: "soft" }, q.t("pair.nothing")) : q.shown(value));
    const row = (name) => {
      const differs = a?.shown[name] !== b?.shown[name];
      return q.el(
        "tr",
        { class: differs ? "differs" : "" },
        q.el("th", { scope: "row" }, q.shown(name), differs ? q.el("span", { class: "tag" }, q.t("pair.differs")) : null),
        cell(a?.shown[name]),
        cell(b?.shown[name]),
      );
    };
    const head = [q.t("pair.field"), q.t("pair.left"), q.t("pair.right")].map((h) => q.el("th", { scope: "col" }, h));
    return q.el(
      "section",
      {},
      q.el("h3", {}, q.t("pair.fields")),
      q.el(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": q.t("pair.fields") },
        q.el("table", { class: "fields" }, q.el("thead", {}, q.el("tr", {}, head)), q.el("tbody", {}, names.map(row))),
      ),
      more ? q.el("p", { class: "soft" }, q.t("pair.fields.more", more)) : null,
    );
  };
})(window.quchong);
