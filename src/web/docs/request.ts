/** Sends the request of a form, and shows the answer below it. */
export async function send(form: HTMLFormElement): Promise<void> {
  const place = form.querySelector("[data-answer]");
  if (place === null) return;
  place.replaceChildren(paragraph("Sending…"));
  try {
    const { address, request } = requestOf(form);
    place.replaceChildren(...(await answerNodes(await fetch(address, request))));
  } catch (error) {
    place.replaceChildren(paragraph(`No answer came: ${String(error)}`));
  }
}

function requestOf(form: HTMLFormElement): { readonly address: string; readonly request: RequestInit } {
  const { method = "GET", path = "", type } = form.dataset;
  const headers = new Headers();
  const token = form.querySelector<HTMLInputElement>("[data-token]")?.value.trim() ?? "";
  if (token !== "") headers.set("authorization", `Bearer ${token}`);
  const query = new URLSearchParams();
  const body = new FormData();
  let filled = path;
  for (const field of form.querySelectorAll<HTMLInputElement>("[data-in]")) {
    const { name, value, files } = field;
    if (field.type === "file") for (const file of files ?? []) body.append(name, file);
    else if (value === "") continue;
    else if (field.dataset["in"] === "path") filled = filled.replace(`{${name}}`, () => encodeURIComponent(value));
    else if (field.dataset["in"] === "query") query.append(name, value);
    else if (field.dataset["in"] === "header") headers.set(name, value);
    else body.append(name, value);
  }
  const address = query.size === 0 ? filled : `${filled}?${query}`;
  if (type === undefined) return { address, request: { method, headers } };
  // The browser itself names the type of a form, with its boundary.
  if (type === "multipart/form-data") return { address, request: { method, headers, body } };
  headers.set("content-type", type);
  const text = form.querySelector<HTMLTextAreaElement>("[data-body]")?.value ?? "";
  return { address, request: { method, headers, body: text } };
}

async function answerNodes(response: Response): Promise<Node[]> {
  const status = paragraph(`${response.status} ${response.statusText}`);
  status.className = response.ok ? "status is-ok" : "status is-bad";
  const type = response.headers.get("content-type") ?? "";
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
  return [status, block("Headers of the answer", headers), ...(await bodyNodes(response, type))];
}

async function bodyNodes(response: Response, type: string): Promise<Node[]> {
  if (!/json|text/.test(type)) {
    const file = await response.blob();
    if (file.size === 0) return [];
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? "answer";
    link.textContent = `Save the file (${file.size} bytes)`;
    return [link];
  }
  const text = await response.text();
  if (text === "") return [];
  return [block("Body of the answer", /json/.test(type) ? JSON.stringify(JSON.parse(text), null, 2) : text)];
}

function paragraph(text: string): HTMLParagraphElement {
  const element = document.createElement("p");
  element.textContent = text;
  return element;
}

function block(label: string, text: string): HTMLPreElement {
  const element = document.createElement("pre");
  element.tabIndex = 0;
  element.ariaLabel = label;
  element.textContent = text;
  return element;
}
