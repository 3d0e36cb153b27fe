"""The SDKs that speak with providers: one module each, imported only when a model of that provider is wanted."""
