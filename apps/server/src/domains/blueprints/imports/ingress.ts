import { type Draft, type Fields, openDraft } from './fields.ts'
import type { Obj } from './objects.ts'
import type { Sources } from './sources.ts'
import type { Reporter } from './telling.ts'

interface Certified {
  certificate: string
  key: string
}

/** The certificates of hosts, from the text's Secrets. */
function certificatesOf(spec: Fields, sources: Sources, tell: Reporter): Map<string, Certified> {
  const found = new Map<string, Certified>()
  for (const row of spec.rows('tls')) {
    const name = row.text('secretName') ?? ''
    const values = sources.values('Secret', name)
    const [certificate, key] = [values?.get('tls.crt'), values?.get('tls.key')]
    if (certificate === undefined || key === undefined) {
      tell.note(row.at, 'imports-certificate', { name: name.slice(0, 100) })
      row.pass('hosts')
      continue
    }
    for (const host of row.words('hosts') ?? []) found.set(host, { certificate, key })
  }
  return found
}

/** Converts an Ingress object. */
export function putIngress({ name, fields, at }: Obj, sources: Sources, tell: Reporter): Draft | undefined {
  const spec = fields.fields('spec')
  if (!spec) return undefined
  const reporter = tell.of(name)
  const group = spec.text('ingressClassName')
  if (group === undefined) reporter.wrong(spec.at, 'imports-ingress-group', { name })
  const certified = certificatesOf(spec, sources, reporter)
  const hosts = spec.rows('rules').flatMap((rule) => {
    const host = rule.text('host')
    const paths = (rule.fields('http')?.rows('paths') ?? []).map((row) => {
      row.usual('pathType', 'Prefix', 'ImplementationSpecific')
      const service = row.fields('backend')?.fields('service')
      const port = service?.fields('port')
      const number = port?.figure('number')
      if (number === undefined) reporter.wrong(row.at, 'imports-ingress-port')
      return { path: row.text('path') ?? '/', service: service?.text('name') ?? '', port: number }
    })
    if (host === undefined) {
      reporter.note(rule.at, 'imports-ingress-host')
      return []
    }
    const tls = certified.get(host)
    return [{ host, ...(tls && { tls }), paths }]
  })
  const draft = openDraft(name, at)
  draft.put('outward', { type: 'ingress', group, hosts }, spec.place('rules'))
  return draft
}
