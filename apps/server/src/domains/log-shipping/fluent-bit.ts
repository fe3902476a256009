import type { KafkaSettings } from '@gantry/contract/log-shipping/kafka'
import type { LogSettings } from '@gantry/contract/log-shipping/collection'
import { Document, Scalar, visit } from 'yaml'
import { labels } from '../../adapters/kube/labels.ts'

/** The configuration of a cluster's collectors. */
export interface Collecting {
  kafka: KafkaSettings
  logs: Omit<LogSettings, 'environments'>
}

/** Paths in the collector's container. */
export const paths = {
  config: '/gantry/config',
  kafka: '/gantry/kafka',
  /** on the host too: read positions of files, and records that Kafka has not accepted yet */
  state: '/var/lib/gantry-logs',
} as const

export const files = { config: 'fluent-bit.yaml', limit: 'limit.lua', ca: 'ca.crt' } as const
/** Variables of the container, which Fluent Bit inserts for `${…}`, so that no secret is in a ConfigMap. */
export const variables = { user: 'KAFKA_USER', password: 'KAFKA_PASSWORD' } as const

export const namespace = 'gantry-logs'

const tag = 'kube.*'

/** A file is named `<pod>_<namespace>_<container>-<id>.log`, and none of these parts contains an underscore. */
const filesOf = (name: string) => `/var/log/containers/*_${name}_*.log`

const protocolOf = ({ tls, sasl }: KafkaSettings): string =>
  sasl === 'none' ? (tls ? 'ssl' : 'plaintext') : tls ? 'sasl_ssl' : 'sasl_plaintext'

const rdkafka = (kafka: KafkaSettings): Record<string, string> => ({
  'rdkafka.security.protocol': protocolOf(kafka),
  'rdkafka.request.required.acks': '-1',
  'rdkafka.log.connection.close': 'false',
  ...(kafka.sasl !== 'none' && {
    'rdkafka.sasl.mechanism': kafka.sasl.toUpperCase(),
    'rdkafka.sasl.username': `\${${variables.user}}`,
    'rdkafka.sasl.password': `\${${variables.password}}`,
  }),
  ...(kafka.tls && {
    ...(kafka.ca !== '' && { 'rdkafka.ssl.ca.location': `${paths.kafka}/${files.ca}` }),
    // Fluent Bit cannot check another name than the address, so then only the CA, which is private, is checked
    'rdkafka.ssl.endpoint.identification.algorithm': kafka.serverName === '' ? 'https' : 'none',
  }),
})

const filtersOf = ({ multiline, streams, allTeams, teamIds }: Collecting['logs']): Record<string, string>[] => {
  const label = (key: string) => `$kubernetes_namespace['labels']['${key}']`
  // no team has the id 0
  const teams = allTeams ? '[0-9]+' : `(${[0, ...teamIds].join('|')})`
  return [
    // it passes joined lines to the first filter again, so it must be the first
    ...(multiline === 'none'
      ? []
      : [{ name: 'multiline', match: tag, 'multiline.key_content': 'log', 'multiline.parser': multiline }]),
    ...(streams === 'stderr' ? [{ name: 'grep', match: tag, regex: 'stream ^stderr$' }] : []),
    { name: 'lua', match: tag, script: `${paths.config}/${files.limit}`, call: 'limit' },
    {
      name: 'kubernetes',
      match: tag,
      kube_tag_prefix: 'kube.var.log.containers.',
      merge_log: 'off',
      annotations: 'off',
      namespace_labels: 'on',
      namespace_annotations: 'off',
      buffer_size: '256k',
    },
    { name: 'grep', match: tag, regex: `${label(labels.managedBy)} ^gantry$` },
    { name: 'grep', match: tag, regex: `${label(labels.team)} ^${teams}$` },
  ]
}

/** Fluent Bit's configuration. Every text is quoted, so that none is read as another type. */
export function configOf({ kafka, logs }: Collecting): string {
  const written = new Document({
    service: {
      flush: '1',
      log_level: 'info',
      http_server: 'on',
      'storage.path': `${paths.state}/buffer`,
      'storage.max_chunks_up': '64',
    },
    pipeline: {
      inputs: [
        {
          name: 'tail',
          tag,
          path: '/var/log/containers/*.log',
          exclude_path: [namespace, ...logs.excluded].map(filesOf).join(','),
          'multiline.parser': 'docker, cri',
          db: `${paths.state}/tail.db`,
          refresh_interval: '10',
          skip_long_lines: 'on',
          mem_buf_limit: '16M',
          'storage.type': 'filesystem',
        },
      ],
      filters: filtersOf(logs),
      outputs: [
        {
          name: 'kafka',
          match: tag,
          brokers: kafka.brokers.join(','),
          topics: kafka.logTopic,
          format: 'json',
          timestamp_key: '@timestamp',
          timestamp_format: 'iso8601',
          retry_limit: 'no_limits',
          'storage.total_limit_size': '1G',
          ...rdkafka(kafka),
        },
      ],
    },
  })
  visit(written, {
    Scalar: (key, node) => {
      if (key !== 'key') node.type = Scalar.QUOTE_DOUBLE
    },
  })
  return written.toString({ lineWidth: 0 })
}

/** Limits each container by itself; Fluent Bit's own throttle filter counts all containers of a host together. */
export const limitOf = ({
  linesPerSecond,
}: Pick<LogSettings, 'linesPerSecond'>): string => `local most = ${linesPerSecond}
local second, seen = 0, {}

function limit(tag, timestamp, record)
  local now = os.time()
  if now ~= second then
    second, seen = now, {}
  end
  local count = (seen[tag] or 0) + 1
  seen[tag] = count
  if count > most then
    return -1, timestamp, record
  end
  return 0, timestamp, record
end
`
