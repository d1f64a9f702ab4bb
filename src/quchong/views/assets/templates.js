"use strict";
// Templates: what records share, with a mark for each slot, and what fills the slots most often.
(function (q) {
  const mark = (k) => q.el("span", { class: "tag", title: q.t("template.slot", q.number(k)) }, q.number(k));

  function frame(one) {
    return q.el(
      "p",
      { class: "frame" },
      one.pieces.map((piece, k) => [k ? [mark(k), " "] : null, q.shown(piece), k < one.pieces.length - 1 ? " " : null]),
      one.more ? q.el("span", { class: "soft" }, " ", q.t("template.more", q.number(one.more))) : null,
    );
  }

  function slot(slot, k) {
    const told = slot.fillers.map(([text, n], i) => [i ? q.t("list") : null, q.shown(text), ` (${q.number(n)})`]);
    return q.el(
      "li",
      {},
      mark(k + 1),
      " ",
      q.t("template.different", q.number(slot.different)),
      " ",
      told,
      slot.fillers.length < slot.different ? " …" : null,
    );
  }

  q.parts.push({
    id: "templates",
    render(root) {
      const some = q.model.templates,
        counts = q.model.about.counts.templates;
      root.hidden = !some.length;
      if (!some.length) return;
      q.fill(root, {}, [
        q.el("h2", {}, q.t("templates")),
        q.el("p", { class: "soft" }, q.t("templates.note")),
        counts
          ? q.el(
              "p",
              {},
              q.t(
                "templates.counts",
                q.number(counts.templates),
                q.number(counts.records),
                q.number(counts.told_apart),
                q.number(some.length),
              ),
            )
          : null,
        q.el(
          "ul",
          { class: "plain templates" },
          some.map((one) =>
            q.el(
              "li",
              { class: "card" },
              q.el("h3", {}, q.t("template", q.number(one.number), q.number(one.records))),
              frame(one),
              q.el("ul", { class: "plain" }, one.slots.map(slot)),
            ),
          ),
        ),
      ]);
    },
  });
})(window.quchong);
