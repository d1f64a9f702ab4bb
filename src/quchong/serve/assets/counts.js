"use strict";
// How many documents the index has, now and every few seconds; nothing is asked while nobody looks at the page.
(function (q) {
  const EVERY = 5000,
    NAMES = ["documents", "kept", "pairs"];
  let figures = null, // the last figures, and when they came
    since = null,
    old = false,
    timer = 0,
    waiting = false;

  function draw() {
    const box = q.clear(q.byId("counts"));
    box.setAttribute("aria-label", q.t("serve.counts"));
    const told = (name) => (figures ? q.number(figures[name]) : "–");
    box.append(
      q.el("dl", { class: "tiles" }, NAMES.map((name) => q.el("div", {}, q.el("dt", {}, q.t("serve." + name)), q.el("dd", { "data-count": name }, told(name))))),
      old && since ? q.el("p", { class: "soft" }, q.t("serve.counts.old", since.toLocaleTimeString(q.tag()))) : "",
    );
  }

  /** Asks for the figures, and again after some seconds. */
  q.count = async function () {
    window.clearTimeout(timer);
    if (document.hidden || (q.model.tokens && !q.token) || waiting) return;
    waiting = true;
    const token = q.token;
    const { said, trouble } = await q.send("stats");
    waiting = false;
    if (token !== q.token) {
      q.count();
      return;
    }
    if (trouble?.name === "token") {
      q.refused("token");
      return;
    }
    if (said) {
      figures = said;
      since = new Date();
    }
    old = !said;
    draw();
    timer = window.setTimeout(q.count, EVERY);
  };

  /** Forgets the figures, of which a caller without a token may not know. */
  q.forgetCounts = function () {
    window.clearTimeout(timer);
    figures = null;
    old = false;
    draw();
  };

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) window.clearTimeout(timer);
    else q.count();
  });
  q.parts.push({ id: "counts", render: draw });
})(window.quchong);
