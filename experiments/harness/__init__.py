"""What all experiments share: configurations, stored records, workers, tables, figures and the page of results."""
