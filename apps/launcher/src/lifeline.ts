import { isMainThread } from 'node:worker_threads'

/**
 * Loaded before the main file of the server, the agent and the sandbox. Their standard input is a pipe that only the
 * launcher holds: when the launcher is gone, however it went, they end as if they had been asked to. So nothing that
 * nobody looks after goes on answering.
 */
function hold(): void {
  const line = process.stdin
  line.once('end', () => process.kill(process.pid, 'SIGTERM'))
  line.once('error', () => process.kill(process.pid, 'SIGTERM'))
  line.resume()
  // Listening must not keep a process alive that has nothing else to do.
  if ('unref' in line && typeof line.unref === 'function') line.unref()
}

// Threads load this too, and their standard input ends at once.
if (isMainThread) hold()
