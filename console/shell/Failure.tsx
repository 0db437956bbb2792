import { Component, type ReactNode } from 'react'
import { t } from '../texts/texts.ts'
import { Problem } from '../ui/forms/Problem.tsx'

/** Shows the error of a page in its place, so that the rest of the console still works. */
export class Failure extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {}

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    if (!this.state.error) return this.props.children
    return (
      <div className="stack">
        <h1>{t('Something went wrong on this page')}</h1>
        <Problem error={this.state.error} />
        <div>
          <button type="button" onClick={() => this.setState({ error: undefined })}>
            {t('Try again')}
          </button>
        </div>
      </div>
    )
  }
}
