import { createCache, extractStyle, StyleProvider } from '@ant-design/cssinjs'
import {
  AutoComplete,
  Button,
  Checkbox,
  ConfigProvider,
  Drawer,
  Dropdown,
  Empty,
  Form,
  Input,
  InputNumber,
  Modal,
  Popover,
  Segmented,
  Select,
  Skeleton,
  Space,
  Steps,
  Switch,
  Tooltip,
  type ThemeConfig,
} from 'antd'
import { renderToStaticMarkup } from 'react-dom/server'

/**
 * antd's rules as a file: made in the browser they cost the first screen most of a hundred milliseconds (decision 67).
 * They name colours and sizes by variables alone, which antd sets as the theme says, so one sheet is right for every theme.
 */

/** What the console draws, and what antd draws in it: what is not here has no look. */
const widgets = (
  <>
    <AutoComplete />
    <Space.Compact>
      <Button />
    </Space.Compact>
    <Checkbox.Group options={['']} />
    <Drawer />
    <Dropdown>
      <i />
    </Dropdown>
    <Empty />
    <Form>
      <Form.Item label=" " tooltip=" ">
        <Input />
      </Form.Item>
    </Form>
    <Input.OTP />
    <Input.Password />
    <Input.Search />
    <Input.TextArea />
    <InputNumber />
    <Modal />
    <Modal._InternalPanelDoNotUseOrYouWillBeFired type="confirm" />
    <Popover />
    <Segmented options={['']} />
    <Select />
    <Skeleton />
    <Space />
    <Space.Addon> </Space.Addon>
    <Steps />
    <Switch />
    <Tooltip />
  </>
)

/** The sheet, and of which of antd's style hooks it has the rules: `Input-TextArea`. */
export function widgetStyles(theme: ThemeConfig = {}): { css: string; hooks: Set<string> } {
  const cache = createCache()
  renderToStaticMarkup(
    <StyleProvider cache={cache}>
      <ConfigProvider theme={{ ...theme, hashed: false, cssVar: { prefix: 'ant' } }}>{widgets}</ConfigProvider>
    </StyleProvider>,
  )
  const hooks = new Set([...cache.cache.keys()].flatMap((key) => /^style%%([^%]+)%[^%]+%anticon$/.exec(key)?.[1] ?? []))
  return { css: extractStyle(cache, { plain: true, types: ['style'] }), hooks }
}
