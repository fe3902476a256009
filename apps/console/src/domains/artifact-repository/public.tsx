import {
  artifactRepository,
  type SavedArtifactRepository,
} from '@gantry/contract/artifact-repository/artifact-repository'
import { Input } from 'antd'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Loaded } from '../../ui/detail.tsx'
import { example } from '../../ui/form/example.ts'
import { Field, Form } from '../../ui/form/form.tsx'

const unset: SavedArtifactRepository = { url: '', userName: '', password: '', revision: 0 }

/** The artifact repository of the installation. Reads and saves by itself. */
export function ArtifactRepositoryForm() {
  const query = useRead(artifactRepository.get)
  const save = useWrite(artifactRepository.set, {
    done: 'save-success',
    quiet: true,
  })
  const data = query.data === null ? unset : query.data
  return (
    <Loaded query={{ ...query, data }}>
      {({ revision, ...stored }) => (
        <Form
          key={revision}
          schema={artifactRepository.set.body}
          initial={stored}
          submit={t('ui-save')}
          onSubmit={(body) => save.mutateAsync({ named: '', body: { ...body, revision } })}
        >
          <Field name="url" label={t('artifact-repository-ui-url')} help={t('artifact-repository-ui-url-help')}>
            <Input placeholder={example('https://nexus.example.com/repository/packages')} maxLength={2000} />
          </Field>
          <div className="g-columns">
            <Field name="userName" label={t('artifact-repository-ui-user')}>
              <Input autoComplete="off" spellCheck={false} maxLength={200} />
            </Field>
            <Field name="password" label={t('artifact-repository-ui-password')}>
              <Input.Password autoComplete="new-password" maxLength={500} />
            </Field>
          </div>
        </Form>
      )}
    </Loaded>
  )
}
