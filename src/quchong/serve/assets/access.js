"use strict";
// The access token: kept by the browser until the tab is closed, and never shown again.
(function (q) {
  const KEY = "quchong.token",
    POSSIBLE = /^[\x21-\x7e]{1,512}$/; // what a header can hold

  const stored = () => {
    try {
      return window.sessionStorage.getItem(KEY) || "";
    } catch {
      return "";
    } // a browser that keeps nothing
  };
  function keep(token) {
    q.token = token;
    try {
      if (token) window.sessionStorage.setItem(KEY, token);
      else window.sessionStorage.removeItem(KEY);
    } catch {
      /* kept in this page only */
    }
  }
  q.token = q.model.tokens ? stored() : "";

  function draw() {
    const box = q.clear(q.byId("access"));
    box.hidden = !q.model.tokens;
    if (!q.model.tokens) return;
    if (q.token) {
      const forget = q.el("button", { type: "button", id: "forget", on: { click: () => give("") } }, q.t("serve.token.forget"));
      box.append(q.el("p", { class: "card" }, q.t("serve.token.used"), " ", forget));
      return;
    }
    const field = q.el("input", { type: "password", id: "token", autocomplete: "off", spellcheck: "false", "aria-describedby": "token-hint" });
    const use = q.el("button", { type: "submit", class: "strong" }, q.t("serve.token.use"));
    const form = q.el(
      "form",
      { class: "card", on: { submit: (event) => (event.preventDefault(), give(field.value.trim())) } },
      q.el("div", { class: "control grow" }, q.el("label", { for: "token" }, q.t("serve.token")), field, use),
      q.el("p", { class: "soft", id: "token-hint" }, q.t("serve.token.hint")),
    );
    box.append(form);
  }

  /** Takes a token, and tries it; "" forgets the one in use. */
  async function give(token) {
    q.trouble(null);
    if (token && !POSSIBLE.test(token)) {
      q.refused("token");
      return;
    }
    keep(token);
    q.forgetAnswer();
    draw();
    (q.byId("token") || q.byId("given") || q.byId("forget")).focus();
    if (token) await q.count();
    else q.forgetCounts();
  }

  /** Is told where the service refuses the token: it is forgotten, and the next one asked for. */
  q.refused = function (name) {
    keep("");
    draw();
    q.forgetCounts();
    q.trouble(name);
    q.byId("token")?.focus();
  };

  q.parts.push({ id: "access", render: draw });
})(window.quchong);
