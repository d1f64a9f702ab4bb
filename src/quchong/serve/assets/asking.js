"use strict";
// What the page asks its service. Nothing else is asked of anybody.
(function (q) {
  const here = (path) => new URL(path, window.location.href);
  const WAIT = 5; // seconds, where a service that cannot answer says none
  let wrong = null; // what went wrong last: { name, values, detail, language }

  /** Shows what is wrong, in words of the page; what the service says more stands below if it speaks the same language. */
  q.drawTrouble = function () {
    const box = q.clear(q.byId("trouble"));
    box.hidden = !wrong;
    if (!wrong) return;
    box.append(q.t("serve.wrong." + wrong.name, ...wrong.values));
    if (wrong.detail && wrong.language === q.language) box.append(q.el("span", { class: "detail" }, q.shown(wrong.detail)));
  };
  q.trouble = function (name, ...values) {
    wrong = name ? { name, values } : null;
    q.drawTrouble();
  };
  /** Shows the trouble that `send` returned. */
  q.showTrouble = function (trouble) {
    wrong = trouble;
    q.drawTrouble();
  };

  /** What a problem of the service is called here, with its values. */
  function named(answer, problem) {
    const kind = String(problem?.type ?? "").split(":").pop(),
      after = Number(answer.headers.get("retry-after")) || WAIT,
      told = { values: [], detail: typeof problem?.detail === "string" ? problem.detail : "", language: q.language };
    if (answer.status === 401) return { ...told, name: q.token ? "token" : "no-token", detail: "" };
    if (kind === "not-allowed" || kind === "not-found") return { ...told, name: kind };
    if (answer.status === 429) return { ...told, name: "too-many-requests", values: [after], detail: "" };
    if ([502, 503, 504].includes(answer.status)) return { ...told, name: "unavailable", values: [after] };
    return { ...told, name: "other", detail: told.detail || `HTTP ${answer.status}` };
  }

  /** Asks the service: `{ said }` with what it answers, or `{ trouble }`. */
  q.send = async function (path, { body, type } = {}) {
    const headers = { accept: "application/json", "accept-language": q.language };
    if (q.token) headers.authorization = "Bearer " + q.token;
    if (type) headers["content-type"] = type;
    let answer;
    try {
      answer = await fetch(here(path), { method: body === undefined ? "GET" : "POST", headers, body, cache: "no-store", credentials: "omit" });
    } catch {
      return { trouble: { name: "gone", values: [] } };
    }
    let said = null;
    try {
      said = await answer.json();
    } catch {
      if (answer.ok) return { trouble: { name: "gone", values: [] } }; // cut off in the middle
    }
    return answer.ok ? { said } : { trouble: named(answer, said) };
  };
})(window.quchong);
