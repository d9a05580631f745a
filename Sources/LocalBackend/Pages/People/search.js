// Suggests tags, teams and people while the user types a search.

const WAIT = 150;

async function suggestions(text, signal) {
  const isTag = text.startsWith("#");
  const ask = async (name) => {
    const answer = await fetch(`/rest/v1/rpc/${name}?max_rows=6&query=${encodeURIComponent(text)}`, { signal });
    return answer.ok ? answer.json() : [];
  };
  const [tags, teams] = await Promise.all([ask("search_tags"), isTag ? [] : ask("search_teams")]);
  return [...tags.map((tag) => `#${tag.name}`), ...teams.map((team) => team.name)];
}

export function startSearch() {
  const field = document.getElementById("q"), list = document.getElementById("suggestions");
  if (!field || !list) return;
  let timer, request;
  field.addEventListener("input", () => {
    clearTimeout(timer);
    request?.abort();
    const text = field.value.trim();
    if (text.replace("#", "").length < 2) return list.replaceChildren();
    timer = setTimeout(async () => {
      request = new AbortController();
      try {
        const names = await suggestions(text, request.signal);
        list.replaceChildren(...names.map((name) => Object.assign(document.createElement("option"), { value: name })));
      } catch {
        // Without suggestions, the search works.
      }
    }, WAIT);
  });
}
