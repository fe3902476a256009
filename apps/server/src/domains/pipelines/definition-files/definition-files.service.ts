import type { FileDefinition } from '@gantry/contract/pipelines/editing/definition-file'
import type { DefinitionFile } from '@gantry/contract/pipelines/pipelines'
import { note } from '../../../kernel/audit.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { say } from '../../../kernel/phrase.ts'
import { lintOf } from '../lint/lint.service.ts'
import { changePipelines } from '../pipelines/changes.service.ts'
import { getPipeline } from '../pipelines/pipelines.service.ts'
import type { PipelineKey, StoredPipeline } from '../pipelines/pipelines.store.ts'
import { readRepositoryFile } from '../pipelines/repository.service.ts'
import { readDefinitionText, saidProblem } from './definition-text.ts'

function mustBeInFile({ definitionFile, projectName }: StoredPipeline): DefinitionFile {
  if (!definitionFile) throw new Fault('conflict', 'pipelines-file-not-used', { name: projectName })
  return definitionFile
}

/** The definition at the head of the configured branch, with its problems. */
export async function readDefinitionFile(ctx: Ctx, key: PipelineKey): Promise<FileDefinition> {
  const pipeline = await getPipeline(ctx, key)
  const { path, branch: named } = mustBeInFile(pipeline)
  const branch = named || (pipeline.repository?.branch ?? '')
  const { commit, message, text } = await readRepositoryFile(ctx, pipeline, { path, at: { ref: branch } })
  const { definition, problems, place } = readDefinitionText(text)
  const doubts = definition ? await lintOf(ctx, pipeline, definition) : []
  return {
    path,
    branch,
    commit,
    message,
    text,
    problems: problems.map((one) => saidProblem(ctx.lang, one)),
    warnings: doubts.map(({ path, key, vars }) => ({ ...place(path), text: say(ctx.lang, key, vars) })),
  }
}

/** Copies the definition of a commit into the pipeline, whose own definition is used from then on. */
export async function takeOverDefinition(
  ctx: Ctx,
  key: PipelineKey,
  { commit, revision }: { commit: string; revision?: number | undefined },
): Promise<{ revision: number }> {
  const pipeline = await getPipeline(ctx, key)
  note(ctx, { object: pipeline.projectName })
  const { path } = mustBeInFile(pipeline)
  const { text } = await readRepositoryFile(ctx, pipeline, { path, at: { commit } })
  const { definition, problems } = readDefinitionText(text)
  const [first] = problems
  if (!definition)
    throw new Fault('invalid', 'pipelines-file-wrong', {
      path,
      commit: commit.slice(0, 8),
      count: problems.length,
      line: first?.line ?? 1,
      column: first?.column ?? 1,
    })
  const fields = { definition, definitionText: text, definitionFile: null }
  const [after] = await changePipelines(ctx, [
    { type: 'set', id: pipeline.id, revision: revision ?? pipeline.revision, fields },
  ])
  return { revision: mustExist(after).revision }
}
