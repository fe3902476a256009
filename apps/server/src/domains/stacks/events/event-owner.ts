/** What Kubernetes appends to a name to generate another: no vowels and no digits that look like letters. */
const generatedSuffix = String.raw`[bcdfghjklmnpqrstvwxz2456789]{1,10}`
/** A copy that an upgrade runs beside the service; no service can have its name. */
const copySuffix = String.raw`(?:-next)?`
/** Replica sets, pods of every kind of workload, and jobs of a schedule with their pods. */
const descendant = new RegExp(
  String.raw`^${copySuffix}(?:|-${generatedSuffix}|-${generatedSuffix}-${generatedSuffix}|-\d+|-\d+-${generatedSuffix})$`,
)
const ownFile = /^\.[a-z0-9.-]+$/
const numbered = /-\d+$/

/** Whether an object of this name can belong to a service: its name is the service's or derived from it. */
function fits(service: string, kind: string, name: string): boolean {
  if (kind === 'PersistentVolumeClaim' && numbered.test(name) && name.replace(numbered, '').endsWith(`-${service}`))
    return true
  if (!name.startsWith(service)) return false
  const rest = name.slice(service.length)
  return descendant.test(rest) || ownFile.test(rest)
}

/**
 * The service of a stack that an object belongs to, by the object's name only, since the object and its labels may be
 * gone. If the names of two services match (`web` and `web-7b`), the longer one counts.
 */
export function serviceOfObject(
  services: readonly string[],
  { kind, name }: { kind: string; name: string },
): string | undefined {
  let found: string | undefined
  for (const service of services)
    if (service.length > (found?.length ?? 0) && fits(service, kind, name)) found = service
  return found
}
