import { isMainThread } from 'node:worker_threads'

/**
 * Loaded before the main file of the server, the agent and the sandbox. Their standard input is a pipe that only the
 * launcher holds. When the launcher ends in whatever way, they end as if by SIGTERM, so that none goes on unsupervised.
 */
function hold(): void {
  const line = process.stdin
  line.once('end', () => process.kill(process.pid, 'SIGTERM'))
  line.once('error', () => process.kill(process.pid, 'SIGTERM'))
  line.resume()
  // listening must not keep a process alive that has nothing else to do
  if ('unref' in line && typeof line.unref === 'function') line.unref()
}

// threads load this too, but their standard input ends at once
if (isMainThread) hold()
