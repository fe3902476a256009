import { type SavedTapd, tapd } from '@gantry/contract/trackers/tapd'
import { Input, Select, Switch } from 'antd'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Loaded } from '../../ui/detail.tsx'
import { example } from '../../ui/form/example.ts'
import { Field, Form } from '../../ui/form/form.tsx'

const unset: SavedTapd = {
  enabled: true,
  url: 'https://api.tapd.cn',
  user: '',
  password: '',
  workspaces: [],
  comment: true,
  status: '',
  revision: 0,
}

/** The connection to TAPD. Reads and saves by itself. */
export function TapdForm() {
  const query = useRead(tapd.get)
  const save = useWrite(tapd.set, { done: 'save-success', quiet: true })
  const data = query.data === null ? unset : query.data
  return (
    <Loaded query={{ ...query, data }}>
      {({ revision, ...stored }) => (
        <Form
          key={revision}
          schema={tapd.set.body}
          initial={stored}
          submit={t('ui-save')}
          onSubmit={(body) => save.mutateAsync({ named: '', body: { ...body, revision } })}
        >
          <Field name="enabled" label={t('tapd-ui-enabled')} value="checked">
            <Switch />
          </Field>
          <Field name="url" label={t('tapd-ui-url')}>
            <Input placeholder={example('https://api.tapd.cn')} maxLength={2000} />
          </Field>
          <div className="g-columns">
            <Field name="user" label={t('tapd-ui-user')}>
              <Input autoComplete="off" spellCheck={false} maxLength={200} />
            </Field>
            <Field name="password" label={t('tapd-ui-password')}>
              <Input.Password autoComplete="new-password" maxLength={500} />
            </Field>
          </div>
          <Field name="workspaces" label={t('tapd-ui-workspaces')} help={t('tapd-ui-workspaces-help')}>
            <Select mode="tags" open={false} suffixIcon={null} tokenSeparators={[',', ' ', '，']} />
          </Field>
          <Field name="comment" label={t('tapd-ui-comment')} help={t('tapd-ui-comment-help')} value="checked">
            <Switch />
          </Field>
          <Field name="status" label={t('tapd-ui-status')} help={t('tapd-ui-status-help')}>
            <Input maxLength={120} placeholder={example('resolved, done')} />
          </Field>
        </Form>
      )}
    </Loaded>
  )
}
