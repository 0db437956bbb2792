import { useState } from 'react'
import { type Message, msg, t } from '../../../texts/texts.ts'
import { Dialog } from '../../../ui/forms/Dialog.tsx'
import { DescriptionList } from '../../../ui/layout/DescriptionList.tsx'
import { GOES, isOn, turn } from './keys.ts'

const KEYS: readonly (readonly [string, Message])[] = [
  ['Ctrl K', msg('go to a page, an order, or a URN')],
  ['/', msg('search')],
  ['Ctrl Enter, Ctrl S', msg('send a form, save a page')],
  ['j k', msg('next and previous row; Enter opens it')],
  ['a r d', msg('on an order: accept, reject, dispute')],
  ['c', msg('on tasks: file a new one')],
  ['a l p d', msg('on a task: assign, label, set the priority or the due day')],
  ['← ↑ ↓ →', msg('on tasks: the next one; with Shift, move the task')],
  ['x', msg('on tasks: select')],
  ['?', msg('this list')],
]

/** Lists the keys, and turns single ones off. */
export function KeyHelp({ onClose }: { onClose: () => void }) {
  const [on, setOn] = useState(isOn)
  return (
    <Dialog title={t('Keys')} onClose={onClose}>
      <DescriptionList
        items={[
          ...KEYS.map(([keys, what]) => [t(what), <kbd key={keys}>{keys}</kbd>] as const),
          ...Object.entries(GOES).map(([key, { title }]) => [t(title), <kbd key={key}>g {key}</kbd>] as const),
        ]}
      />
      <label className="choice">
        <input
          type="checkbox"
          checked={on}
          onChange={({ target }) => {
            turn(target.checked)
            setOn(target.checked)
          }}
        />
        {t('Use single keys in this browser')}
      </label>
    </Dialog>
  )
}
