import { variableOf } from '../../../api/config/readRules.ts'
import { rulesFor } from '../../../api/config/rules.ts'

const INTRO = `# Limits and durations

For operators: the rules of the market, as variables of \`api\` and \`worker\`, with their defaults. \`./market generate\` writes this page. Give both
processes the same values. The api publishes them in \`rules\`, \`rate_limits\` and \`reputation\` of \`/v1/config/public\`. Micros are millionths of
a dollar. A process refuses values that contradict each other.

\`FEE_RATES\` lists the fees in hundredths of a percent: \`500\` is 5% for ever; \`500,2027-01-01T00:00:00Z=400\` is 4% for orders placed from 2027
on. The contract's cap is 1000. To change the fee, add a rate with an instant after the deployment of every \`api\` and \`worker\`. The api stores
past rates and does not start with a list that differs about the past; an announced rate can change until it is in force. An order keeps the fee
of its placement. [Audits](../audit.md) compare receipts and payouts with the signed list in \`/v1/config/public\`.
`

/**
 * Returns docs/operate/rules.md: the variable of every rule, with its default and that of a sandbox where it
 * differs.
 */
export function ruleCatalogue(): string {
  const { fees: _, ...rules } = rulesFor(false)
  const sandbox = new Map(Object.entries(rulesFor(true)))
  const lines = Object.entries(rules).map(([rule, value]) => {
    const other = sandbox.get(rule)
    return `${variableOf(rule)}=${value}${other === value ? '' : `   # sandbox: ${other}`}\n`
  })
  return `${INTRO}\n\`\`\`text\n${lines.join('')}\`\`\`\n`
}
