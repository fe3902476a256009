import { createSocket, type Socket as Datagrams } from 'node:dgram'
import { readFileSync } from 'node:fs'
import { connect, isIPv6, type Socket } from 'node:net'
import { pipeline } from 'node:stream'

/** The most open queries of a build. */
const maxOpen = 64
const answerMs = 5000

/**
 * Answers a step's DNS queries by forwarding them to the machine's own nameservers, which may listen on its loopback,
 * where a step cannot reach them.
 */
export function nameForwarder(): { datagrams: (socket: Datagrams) => void; stream: (socket: Socket) => void } {
  let silent = 0
  let open = 0

  return {
    datagrams(socket) {
      socket.on('message', (question, asker) => {
        const server = nameserver(silent)
        if (server === undefined || open >= maxOpen) return
        open++
        const upstream = createSocket(isIPv6(server) ? 'udp6' : 'udp4')
        // the next query, and a retry of this one, go to the next nameserver
        const timer = setTimeout(() => {
          silent++
          upstream.close()
        }, answerMs)
        upstream.once('close', () => {
          clearTimeout(timer)
          open--
        })
        upstream.once('error', () => upstream.close())
        upstream.connect(53, server, () => upstream.send(question))
        upstream.once('message', (answer) => {
          socket.send(answer, asker.port, asker.address, () => {})
          upstream.close()
        })
      })
    },
    stream(socket) {
      const server = nameserver(silent)
      socket.on('error', () => socket.destroy())
      if (server === undefined || open >= maxOpen) return void socket.destroy()
      open++
      const upstream = connect({ host: server, port: 53, timeout: answerMs }, () => {})
      upstream.on('timeout', () => upstream.destroy())
      upstream.once('close', () => open--)
      pipeline(socket, upstream, () => {})
      pipeline(upstream, socket, () => socket.destroy())
    },
  }
}

function nameserver(turn: number): string | undefined {
  const lines = [...readFileSync('/etc/resolv.conf', 'utf8').matchAll(/^\s*nameserver\s+(\S+)/gm)]
  return lines[turn % lines.length]?.[1]
}
