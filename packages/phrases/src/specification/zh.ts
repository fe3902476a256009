import type { en } from './en.ts'

export const zh = {
  // Success toasts
  'delete-success': '{object} 已删除',
  'add-success': '{object} 已添加',
  'update-success': '{object} 已更新',
  'edit-success': '编辑成功',
  'delete-user': '用户删除成功',
  'update-success-role': '{object} 已更新',
  'add-success-role': '{object} 已添加',
  'delete-success-role': '{object} 已删除',
  'option-success': '{object} 操作成功',
  'save-success': '{object} 已保存',
  'upgrade-success': '{object} 已开始升级',
  'restart-success': '{object} 已开始重启',
  'create-success': '{object} 已创建',
  'clone-success': '克隆成功',
  'delete-status': '{object} 已开始删除',
  'login-success': '登录成功',
  'logout-success': '已退出登录',
  'translate-success': '转换成功',
  'sync-success': '同步成功',
  'assign-success': '分配成功',
  'check-success': '校验成功',
  'manual-trigger-success': '{object} 已触发构建',
  'stop-success': '{object} 已停止',
  'cancel-success': '{object} 已取消',
  recovering: '正在恢复',

  // Failed calls, by their answer
  'login-again': '请重新登录',
  'resource-not-found': '资源不存在',
  'request-forbidden': '没有权限，请求被拒绝',
  'request-parameters-wrong': '请求参数错误',
  'server-failed': '服务器错误，请稍后重试',
  'network-timeout': '请求超时，请检查网络',
  'network-error': '网络错误，请检查网络连接后重试',
  'no-service-instance': '没有可用的服务实例，请稍后重试',
  'no-stack': '该地址对应的服务未运行，请稍后重试或联系管理员',
  'response-timeout': '服务器响应超时',
  'request-illegal': '请求非法，请使用合法账号登录',
  'page-not-found': '页面不存在',
  'try-again-later': '服务器出现异常，请稍后重试',

  // Login and teams
  'input-userinfo': '请输入用户名和密码',
  'user-Unknown-team': '您还没有加入任何团队，请联系管理员',
  'user-disabled': '该用户已被禁用',
  'user-not-assigned': '该用户未分配团队，请联系管理员',
  'tenant-details': '团队详情',

  // Passwords
  'valid-old-pwd': '请输入当前密码',
  'valid-new-pwd': '请输入新密码',
  'valid-pwd-count': '密码长度为 6 至 20 个字符',
  'valid-pwd-strenght': '密码强度太低，请加长密码或混合使用字母、数字和符号',
  'valid-write-new-pwd': '请再次输入新密码',
  'valid-pwd-diff': '两次输入的密码不一致',

  // Zones and OpenStack
  'valid-zone-name': '最多 30 个字符，只能使用小写字母和数字，可用单个点或连字符分隔，首尾须为字母或数字',
  'valid-zone-name-repeat': '该集群中已存在同名区域，请更换名称',
  'delete-openstack-warn': '仍有 {count} 个区域在使用该 OpenStack 连接，它们及其写入集群的内容将一并删除',
  'prompt-delete-openstack': '删除 OpenStack 连接 {name}？',

  // Builds, blueprints, licence
  'stop-fail-build': '构建 {number} 停止失败：{error}',
  'tips-tosaca-version': '模板的 TOSCA 版本低于平台版本（{version}），请升级版本后重新保存',
  'delete-tips-store': '已移除通知渠道，使用该渠道的规则将不再通过它发送通知',
  'license-expired': '许可证已过期，请联系管理员更新',
  'license-expiring': '许可证将于 {time} 到期，请及时续期',

  // Refusals by rules
  'name-exists': '名称 {name} 已存在，请更换',
  'name-taken': '名称 {name} 已被占用，请更换',
  'role-name-repeat': '角色名称重复',
  'version-repeat': '版本号 {version} 已存在，请更换',
  'service-exists': '服务 {name} 已存在',
  'domain-in-use': '域名 {name} 正在使用，无法删除',
  'template-in-use': '模板 {name} 正在使用，无法删除',
  'notification-in-use': '通知方式 {name} 正在使用，无法删除',
  'catalog-in-use':
    '团队 {team} 的应用栈 {stack} 仍在运行 {name} {version}，无法删除。请先删除该应用栈，或将其升级为其他内容。',
  'image-project-not-empty': '镜像项目 {name} 不为空，请先删除其中的镜像库',
  'volume-in-use':
    '存储卷 {name} 被服务引用，无法删除：容器组 {pods} 正在使用其申领 {claim}。请先删除这些容器组和该申领。',
  'agent-busy': '该构建代理有正在运行的任务，无法清理：{builds}。请等待其结束，或停止任务。',
  'ingress-host-missing': '该环境未设置 Ingress 主机，请先设置',
  'access-address-missing': '访问地址不存在',
  'windows-no-ansible': 'Windows 环境不支持 Ansible',
  'windows-no-code-quality': 'Windows 环境不支持代码质量检查',
  'windows-no-ingress': 'Windows 环境不支持 Ingress 调度',
  'tosca-format': 'TOSCA 模板格式错误：{problem}',
  'tosca-version-low': 'TOSCA 版本过低，至少需要 {version}',
  'yaml-wrong': 'YAML 解析失败：第 {line} 行第 {column} 列：{problem}',
  'import-format': '导入文件格式错误，请使用 {format}',
  'import-duplicate-users': '导入的用户数据重复：{names}',
  'ldap-check-failed': 'LDAP 校验失败：{problem}',
  'retry-exceeded': '已连续 {tries} 次连接 {host}，均未成功。最后一次的原因：{cause}',
  'email-wrong': '邮箱格式错误',

  // Empty screens
  'no-data': '暂无数据',
  'no-permission-to-create': '没有创建权限',
  'no-permission-to-edit': '没有编辑权限',
  'no-permission-to-trigger': '没有触发权限',
} satisfies Record<keyof typeof en, string>
