"""Shared by the pages of people and of staff: access, middleware, error pages, paging, template tags."""
