import { useState } from 'react'
import { DescriptionList } from '../ui/DescriptionList.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { GOES, isOn, turn } from './keys.ts'

const KEYS: readonly (readonly [string, string])[] = [
  ['Ctrl K', 'go to a page, an order, or a URN'],
  ['/', 'search'],
  ['Ctrl Enter or Ctrl S', 'send a form, save a page'],
  ['j k', 'next and previous row; Enter opens it'],
  ['a r d', 'on an order: accept, reject, dispute'],
  ['c', 'on tasks: file a new one'],
  ['a l p d', 'on a task: assign, label, set the priority or the due day'],
  ['arrows', 'on tasks: the next one; with Shift, move the task'],
  ['x', 'on tasks: select'],
  ['?', 'this list'],
]

/** Lists the keys, and turns single ones off. */
export function KeyHelp({ onClose }: { onClose: () => void }) {
  const [on, setOn] = useState(isOn)
  return (
    <Dialog title="Keys" onClose={onClose}>
      <DescriptionList
        items={[
          ...KEYS.map(([keys, what]) => [what, <kbd key={keys}>{keys}</kbd>] as const),
          ...Object.entries(GOES).map(([key, { title }]) => [title, <kbd key={key}>g {key}</kbd>] as const),
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
        Use single keys in this browser
      </label>
    </Dialog>
  )
}
