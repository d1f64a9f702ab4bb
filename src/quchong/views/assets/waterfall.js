"use strict";
// The decision about a pair, step by step: proposed, measured, facts, relation, policy.
(function (q) {
  let opened = false; // kept open from pair to pair

  /** A value as inspect prints it: kinds of facts in words, shares with three digits, counts as they are. */
  function value(what, said) {
    if (said === null) return "";
    if (typeof said === "string") {
      const kinds = said.split(", ").filter(Boolean);
      return kinds.length ? kinds.map((kind) => (q.knows("kind." + kind) ? q.t("kind." + kind) : kind)).join(q.t("list")) : q.t("none");
    }
    return COUNTS.has(what) || (Number.isInteger(said) && Math.abs(said) > 1) ? q.number(said) : q.number(said, 3);
  }
  const COUNTS = new Set(["tokens", "width", "numbers", "names", "unexplained", "distance"]);

  const called = (what) => {
    for (const key of ["gate." + what, "gate." + what.split(".")[0]]) if (q.knows(key)) return q.t(key);
    return q.plain(what);
  };

  /** A share as a bar, with a line at what is needed. */
  function bar(said, needed, passed) {
    if (typeof said !== "number" || needed === null || said > 1 || needed > 1) return null;
    const box = q.svg("svg", { class: "measure " + (passed ? "passed" : "failed"), viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" });
    box.append(
      q.svg("rect", { class: "whole", x: 0, y: 1, width: 100, height: 6 }),
      q.svg("rect", { class: "share", x: 0, y: 1, width: 100 * said, height: 6 }),
      q.svg("rect", { class: "needed", x: Math.min(99, 100 * needed), y: 0, width: 1, height: 8 }),
    );
    return box;
  }

  function step([what, said, needed, passed]) {
    const sign = passed === null ? "·" : passed ? "✓" : "✗";
    return q.el(
      "li",
      { class: passed === null ? "told" : passed ? "passed" : "failed" },
      q.el("span", { class: "sign", "aria-hidden": "true" }, sign),
      q.el("span", { class: "what" }, called(what)),
      bar(said, needed, passed) || q.el("span"),
      q.el(
        "span",
        { class: "value" },
        value(what, said),
        needed === null ? null : q.el("span", { class: "soft" }, " ", q.t("steps.needs", value(what, needed))),
        passed === null ? null : q.el("span", { class: "unseen" }, " ", q.t(passed ? "yes" : "no")),
      ),
    );
  }

  const line = (...said) =>
    q.el("li", { class: "told wide-step" }, q.el("span", { class: "sign", "aria-hidden": "true" }, "→"), q.el("span", { class: "what" }, said));

  /** What the policy makes of the relation. */
  function outcome(pair) {
    const about = q.model.about,
      name = q.t("relation." + pair.relation);
    const conflict = q.model.conflicting.includes(pair.relation);
    if (pair.removed) {
      const keep = about.keep ? q.el("span", {}, " ", q.t("steps.keep", q.keptBy(about.keep))) : null;
      return line(q.t(conflict ? "steps.removed.facts" : "steps.removed", name), keep);
    }
    return line(q.t(about.removes.includes(pair.relation) ? "steps.other" : "steps.stays", name));
  }

  q.waterfall = function (pair) {
    if (!pair.steps || !pair.steps.length || pair.right === null) return null;
    const equal = q.model.equal.includes(pair.relation);
    const ids = [pair.left, pair.right].map((i) => q.doc(i).id);
    const plain = (name, otherwise) => (/^[\w.,+][\w.,+-]*$/.test(name) ? name : otherwise); // in a command that may be copied into a shell
    const command = `quchong inspect --run ${plain(q.model.about.name, "RUN")} ${plain(ids[0], "ID")} ${plain(ids[1], "ID")}`;
    const box = q.el(
      "details",
      { class: "waterfall", on: { toggle: () => (opened = box.open) } },
      q.el("summary", {}, q.t("steps")),
      q.el(
        "ol",
        { class: "plain steps" },
        line(q.t(equal ? "steps.equal" : "steps.found")),
        equal ? null : pair.steps.map(step),
        line(q.t("steps.relation"), " ", q.chip(pair.relation), " · ", q.t("steps.rule"), " ", q.rule(pair.rule)),
        outcome(pair),
      ),
      q.el("p", { class: "soft" }, q.t("steps.more"), " ", q.el("code", {}, command)),
    );
    box.open = opened;
    return box;
  };
})(window.quchong);
