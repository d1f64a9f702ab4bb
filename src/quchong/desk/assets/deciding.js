"use strict";
// What a person says of the pair that is open: its label, and whether a removal is right. Buttons and keys do the same.
(function (q) {
  const dialog = q.byId("pair");
  const KEYS = { 1: "same", 2: "contained", 3: "different", 4: "unsure" };
  let open = null, // { said, asked, stratum, next } of the pair that is shown
    busy = false,
    saved = false;

  const button = (word, key, pressed, press, about) =>
    q.el(
      "button",
      { type: "button", "aria-pressed": pressed === null ? false : String(pressed), on: { click: press }, "data-say": word, ...about },
      q.t(word),
      q.el("kbd", { "aria-hidden": "true" }, key),
    );

  function above() {
    const { said, stratum } = open;
    const labels = Object.entries(KEYS).map(([key, label]) =>
      button("desk.label." + label, key, said.label === label, () => label_(label), { disabled: said.pair < 0 }),
    );
    const verdicts =
      said.removal < 0
        ? null
        : q.el(
            "div",
            { class: "group", role: "group", "aria-label": q.t("desk.verdict") },
            q.el("span", {}, q.t("desk.verdict")),
            button("desk.accept", "A", said.verdict === "accept", () => verdict("accept")),
            button("desk.overturn", "O", said.verdict === "overturn", () => verdict("overturn")),
          );
    return [
      stratum
        ? q.el(
            "p",
            { class: "soft" },
            q.t("desk.asked", {
              relation: q.t("relation." + stratum.relation),
              low: q.score(stratum.low),
              high: q.score(stratum.high),
              size: q.number(stratum.size),
            }),
          )
        : null,
      q.el(
        "div",
        { class: "deciding" },
        q.el(
          "div",
          { class: "group", role: "group", "aria-label": q.t("desk.label") },
          q.el("span", {}, q.t("desk.label")),
          labels,
        ),
        verdicts,
        open.skip ? button("desk.skip", "S", null, () => open.skip()) : null,
        q.el("span", { class: "soft saved", role: "status" }, saved ? q.t("desk.saved") : ""),
      ),
    ];
  }

  /** Opens what the desk answered; `place` says where it stands and what turns to another. */
  q.openShown = function (answer, place) {
    open = { said: answer.said, stratum: answer.stratum, ...place };
    saved = false;
    q.turnPair({
      pair: answer.shown,
      documents: answer.documents,
      at: place.at,
      of: place.of,
      turn: place.turn,
      above,
      keys: () => q.t(place.skip ? "desk.keys.ask" : "desk.keys"),
    });
  };

  async function told(path, what) {
    if (busy) return;
    busy = true;
    const mine = open;
    const answer = await q.tell(path, what);
    busy = false;
    if (!answer) return;
    mine.said = answer.said;
    q.changed(answer.said);
    if (open !== mine || !dialog.open) return;
    saved = true;
    const used = document.activeElement?.dataset.say;
    if (path === "label" && mine.next && answer.said.label) {
      mine.next();
      return;
    }
    q.showPair();
    (dialog.querySelector(`[data-say="${used}"]`) || dialog).focus({ preventScroll: true });
  }

  /** Labels the pair; the label it has already is taken back. */
  function label_(label) {
    if (open.said.pair < 0) return;
    const again = open.said.label === label;
    told("label", { pair: open.said.pair, label: again ? null : label, asked: Boolean(open.skip) });
  }

  function verdict(act) {
    if (open.said.removal < 0) return;
    told("verdict", { removal: open.said.removal, act: open.said.verdict === act ? "clear" : act });
  }

  dialog.addEventListener("keydown", (event) => {
    if (!open || event.target.matches("input:not([type=checkbox]), select, textarea") || event.altKey || event.ctrlKey || event.metaKey) return;
    const key = event.key.toLowerCase();
    if (event.repeat) return;
    if (KEYS[key]) label_(KEYS[key]);
    else if (key === "a") verdict("accept");
    else if (key === "o") verdict("overturn");
    else if (key === "s" && open.skip) open.skip();
  });
  dialog.addEventListener("close", () => {
    if (!dialog.open) open = null; // the event comes late: another pair may be open by then
  });

  /** Labelling: pair after pair, each the one that teaches most. */
  const skipped = [];
  q.askMe = async function () {
    const answer = await q.read("ask", { skipped: skipped.slice(-1000).join(",") });
    if (!answer) return;
    if (answer.none) {
      dialog.close();
      q.asked(q.t("desk.ask.none"));
      return;
    }
    q.openShown(answer, {
      at: 0,
      of: 1,
      turn: () => {},
      next: q.askMe,
      skip: () => {
        skipped.push(answer.said.pair);
        q.askMe();
      },
    });
    dialog.focus({ preventScroll: true });
  };
})(window.quchong);
