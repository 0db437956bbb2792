import { t } from '../texts/texts.ts'

/** The text by which a wallet that pays is first bound to its agent, as the wallet will show it. */
export function BindingText({ text, agent }: { text: string; agent: string }) {
  return (
    <details>
      <summary>{t('First your wallet signs that it is yours, so that a refund finds its way back to you')}</summary>
      <p className="small">
        {t(
          'The text below binds the wallet to {agent}, which moves no money. If the agent has no wallet to be paid to, it becomes that one.',
          { agent },
        )}
      </p>
      <pre data-signed>{text}</pre>
    </details>
  )
}
