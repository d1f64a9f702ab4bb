"use strict";
// What the page asks the desk and tells it. Nothing else is asked of anybody.
(function (q) {
  const here = (path) => new URL(path, window.location.href);

  /** Shows what went wrong, until something goes right. */
  function trouble(said) {
    const box = q.byId("trouble");
    q.clear(box);
    if (said) q.say(box, said);
    box.hidden = !said;
  }

  async function answered(request) {
    let answer, said;
    try {
      answer = await request;
      said = await answer.json();
    } catch {
      trouble(q.t("desk.gone"));
      return null;
    }
    if (!answer.ok) {
      trouble(q.t("desk.trouble", said.error || answer.status));
      return null;
    }
    trouble("");
    return said;
  }

  /** What the desk answers; nothing where it cannot, and the page says so. */
  q.read = function (path, asked) {
    const address = here(path);
    for (const [name, value] of Object.entries(asked || {})) {
      if (value !== "" && value !== null && value !== undefined) address.searchParams.set(name, value);
    }
    return answered(fetch(address, { cache: "no-store" }));
  };

  /** Tells the desk something; its answer comes when that is on the disk. */
  q.tell = (path, said) =>
    answered(
      fetch(here(path), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(said),
      }),
    );
})(window.quchong);
