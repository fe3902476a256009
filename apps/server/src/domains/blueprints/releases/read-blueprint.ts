import { isLower, platformVersion } from '@gantry/tosca/version'
import type { Checked } from '@gantry/tosca/compile'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { isPhrase, say } from '../../../kernel/phrase.ts'
import { usableTemplate } from '../../catalog/public.ts'
import { mustFind } from '../blueprints/blueprints.service.ts'
import { checkText, refuseProblems } from '../tosca/check.ts'

/** A version of a product or of a preset service. */
export interface Wanted {
  blueprintId?: number | string | undefined
  templateId?: number | undefined
  inputs: Record<string, unknown>
  /** Inputs whose values must stay secret; they must be of the type `secret`, because all others are shown. */
  masked?: readonly string[]
}

/** What a stack is deployed from or upgraded to. */
export interface Source {
  /** One of the two is null. */
  blueprintId: number | null
  templateId: number | null
  productId: number | null
  /** Name of the product or the preset service. */
  name: string
  version: string
  template: string
  toscaVersion: string
}

async function sourceOf(ctx: Ctx, teamId: number, { blueprintId, templateId }: Wanted): Promise<Source> {
  if (blueprintId !== undefined && templateId === undefined) {
    const { id, applicationId, productName, version, template, toscaVersion } = await mustFind(ctx, teamId, blueprintId)
    return {
      blueprintId: id,
      templateId: null,
      productId: applicationId,
      name: productName,
      version,
      template,
      toscaVersion,
    }
  }
  if (templateId === undefined || blueprintId !== undefined) throw new Fault('invalid', 'catalog-source')
  const found = mustExist(await usableTemplate(ctx.db, teamId, templateId))
  const { id, catalogName, version, template, toscaVersion } = found
  return { blueprintId: null, templateId: id, productId: null, name: catalogName, version, template, toscaVersion }
}

/** The blueprint with these inputs filled in; refused with every problem of the inputs. */
export async function readBlueprint(
  ctx: Ctx,
  teamId: number,
  wanted: Wanted,
  keepSecrets: boolean,
): Promise<{ source: Source; checked: Checked }> {
  const { inputs, masked = [] } = wanted
  const source = await sourceOf(ctx, teamId, wanted)
  if (isLower(source.toscaVersion)) throw new Fault('invalid', 'tips-tosaca-version', { version: platformVersion })
  const checked = await checkText(source.template, { values: inputs, keepSecrets })
  for (const { name, type } of checked.template.inputs)
    if (type === 'secret' && typeof inputs[name] === 'string') ctx.secrets.add(inputs[name])
  // before the problems below, which may contain values
  const exposed = masked.find(
    (name) => !checked.template.inputs.some((one) => one.name === name && one.type === 'secret'),
  )
  if (exposed !== undefined) throw new Fault('invalid', 'blueprints-input-secret', { name: exposed })
  const [first] = checked.inputProblems
  if (first && isPhrase(first.key)) {
    const problems = checked.inputProblems.map(({ name, key, vars }) => ({
      path: `inputs.${name}`,
      key,
      text: isPhrase(key) ? say(ctx.lang, key, vars) : key,
    }))
    throw new Fault('invalid', first.key, first.vars, problems)
  }
  refuseProblems(ctx.lang, checked)
  if (checked.services.length === 0) throw new Fault('conflict', 'blueprints-empty', { version: source.version })
  return { source, checked }
}
