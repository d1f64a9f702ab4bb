"use strict";
// The answer: new, or what it is a copy of, each match with its score, its rule and what differs; both texts on request.
(function (q) {
  const OPEN = 10, // matches that are in sight at once
    BRIEF = 6;
  const dialog = q.byId("pair");
  let answer = null, // { said, name, texts } of what was asked last
    asked = 0;

  q.forgetAnswer = function () {
    answer = null;
    asked++;
    q.clear(q.byId("answer"));
  };

  /** Shows an answer; `name` is that of the file that was asked about. */
  q.showAnswer = function (said, name) {
    answer = { said, name, texts: new Map() };
    asked++;
    draw();
    q.byId("answer").focus({ preventScroll: true });
    q.byId("answer").scrollIntoView({ block: "start" });
    q.count();
  };

  /** Opens a match beside the text that was asked about. */
  async function open(k, by) {
    const mine = asked,
      { said, texts, name } = answer,
      match = said.matches[k];
    if (!texts.has(match.id)) {
      const { said: found, trouble } = await q.send("documents/" + encodeURIComponent(match.id));
      if (mine !== asked) return;
      if (trouble) {
        dialog.close();
        if (trouble.name === "token") q.refused("token");
        else q.showTrouble(trouble);
        return;
      }
      texts.set(match.id, found.text ?? "");
    }
    const { pair, documents } = q.pairOfMatch(match, [said.text ?? "", texts.get(match.id)], [name, String(match.id)]);
    q.trouble(null);
    q.turnPair({
      pair,
      documents,
      at: k,
      of: said.matches.length,
      turn: (way) => open(k + way, way),
      above: () => null,
      keys: () => q.t("pair.key"),
      state: (right) => (right ? state(match) : ["", "serve.state.given"]),
    });
    if (by !== undefined) (dialog.querySelector(`[data-step="${by}"]:not(:disabled)`) || dialog).focus({ preventScroll: true });
  }

  const state = (match) => (match.kept ? ["stays", "serve.state.kept"] : ["gone", "serve.state.removed"]);

  function item(match, k) {
    const { said } = answer,
      [colour, word] = state(match);
    const figures = [
      `${q.t("score.jaccard")} ${q.score(match.jaccard)}`,
      q.t("serve.in_it", q.percent(match.containment)),
      q.t("serve.in_yours", q.percent(match.match_containment)),
      q.t("pair.rule", q.rule(match.rule)),
      match.by_features ? q.t("serve.features") : null,
    ].filter(Boolean);
    const compare = q.el(
      "button",
      { type: "button", "data-match": k, "aria-label": `${q.t("see")}: ${q.plain(String(match.id))}`, on: { click: () => open(k) } },
      q.t("see"),
    );
    return q.el(
      "li",
      { class: "card match" },
      q.el(
        "div",
        { class: "bar" },
        q.el(
          "span",
          { class: "names" },
          q.chip(match.relation),
          " ",
          q.shown(String(match.id), { class: "doc-id" }),
          " ",
          q.el("span", { class: "tag " + colour }, q.t(word)),
          said.removed && match.id === said.survivor_id ? [" ", q.el("span", { class: "tag" }, q.t("serve.survivor"))] : null,
        ),
        q.model.texts ? compare : null,
      ),
      q.el("p", { class: "soft" }, figures.join(" · ")),
      match.facts.length
        ? q.el("p", { class: "conflicts" }, q.t("serve.facts", match.facts.map((kind) => q.t("kind." + kind)).join(q.t("list"))))
        : null,
      match.differences.length ? q.el("div", { class: "changes" }, q.changes(q.bareMatch(match), BRIEF)) : null,
    );
  }

  /** The answer in one sentence. */
  function verdict(said) {
    if (said.removed && said.survivor_id === null) return q.t("serve.filtered");
    if (said.removed) {
      const [before, after] = q.t("serve.copy", "\0").split("\0");
      return [before, q.shown(String(said.survivor_id), { class: "doc-id" }), after];
    }
    return q.t(said.new ? "serve.new" : "serve.better");
  }

  function draw() {
    const section = q.clear(q.byId("answer"));
    if (!answer) return;
    const { said } = answer,
      many = said.matches.length,
      rest = said.matches.slice(OPEN);
    section.setAttribute("aria-label", q.t("serve.answer"));
    section.append(
      q.el("div", { role: "status" }, q.el("h2", { class: "verdict " + (said.removed ? "gone" : said.new ? "stays" : "") }, verdict(said))),
    );
    if (!many) return;
    section.append(
      q.el("p", {}, many === 1 ? q.t("serve.matches.one") : q.t("serve.matches", q.number(many))),
      q.model.texts ? "" : q.el("p", { class: "soft" }, q.t("serve.no_texts")),
      q.el("ul", { class: "plain matches" }, said.matches.slice(0, OPEN).map(item)),
    );
    if (!rest.length) return;
    const list = q.el("ul", { class: "plain matches" });
    const more = q.el("details", { class: "further", on: { toggle: fill } }, q.el("summary", {}, q.t("serve.more", q.number(rest.length))), list);
    function fill() {
      if (more.open && !list.children.length) q.fill(list, {}, rest.map((match, k) => item(match, OPEN + k)));
    }
    section.append(more);
  }

  q.parts.push({ id: "answer", render: draw });
})(window.quchong);
