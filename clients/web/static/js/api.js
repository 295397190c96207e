// Requests and sockets. The session is a cookie that scripts cannot read; changes carry a token that only this page knows.

let session = null;

export async function begin() {
  session = await get("/api/session");
  return session;
}

export const isResearcher = () => Boolean(session?.researcher);
export const seats = () => session?.seats ?? [];

async function answered(response) {
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw Object.assign(new Error(body.error || `the server answered ${response.status}`), { status: response.status });
  return body;
}

async function tried(request) {
  try {
    return await request();
  } catch (error) {
    if (error instanceof TypeError) throw new Error("the server does not answer; is riverboat web still running?");
    throw error;
  }
}

export const get = (path) => tried(async () => answered(await fetch(path, { credentials: "same-origin" })));

export const post = (path, body, type = "application/json") =>
  tried(async () =>
    answered(await fetch(path, {
      method: "POST",
      credentials: "same-origin",
      headers: { "content-type": type, "x-riverboat-csrf": session.csrf },
      body: type === "application/json" ? JSON.stringify(body) : body,
    })));

const socketAddress = (path) => `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;

// A socket that comes back by itself: after a closed lid, a lost network, a restarted server.
export class Line {
  constructor(path, hear, state) {
    Object.assign(this, { path, hear, state, tries: 0, isOver: false });
    this.open();
    this.wake = () => document.visibilityState === "visible" && this.socket.readyState > 1 && this.open();
    document.addEventListener("visibilitychange", this.wake);
    addEventListener("online", this.wake);
  }

  open() {
    clearTimeout(this.timer);
    if (this.isOver) return;
    const socket = (this.socket = new WebSocket(socketAddress(this.path)));
    socket.onopen = () => { this.tries = 0; this.state(true); };
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.type === "gone") this.isOver = true;
      this.hear(message);
    };
    socket.onclose = () => {
      if (this.isOver || socket !== this.socket) return;
      this.state(false);
      this.timer = setTimeout(() => this.open(), Math.min(4000, 250 * 2 ** this.tries++));
    };
  }

  send(message) {
    if (this.socket.readyState !== 1) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close() {
    this.isOver = true;
    clearTimeout(this.timer);
    document.removeEventListener("visibilitychange", this.wake);
    removeEventListener("online", this.wake);
    this.socket.close();
  }
}

// A socket for one long answer: the first message asks, the rest is progress and the answer.
export function ask(path, question, hear) {
  const socket = new WebSocket(socketAddress(path));
  let isOver = false;
  socket.onopen = () => question && socket.send(JSON.stringify(question));
  socket.onmessage = (event) => {
    const message = JSON.parse(event.data);
    isOver ||= message.type === "gone" || message.type === "done";
    hear(message);
  };
  socket.onclose = () => { if (!isOver) hear({ type: "gone", text: "the connection was lost" }); };
  return () => { isOver = true; socket.close(); };
}
