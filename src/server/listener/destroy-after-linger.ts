import type { Socket } from "node:net";

/**
 * How long a connection that we have ended is read on. Closing a socket with unread bytes resets it, and the
 * reset can overtake the last answer; half a second lets a client that is still sending read why it must stop.
 */
const LINGER_MS = 500;

/** Destroys an ended socket when the peer ends as well, or after half a second. Returns a way to call it off. */
export function destroyAfterLinger(socket: Socket): () => void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  const cancel = () => clearTimeout(timer);
  socket.once("close", cancel);
  return () => {
    socket.off("close", cancel);
    cancel();
  };
}
