"""App of the reviews package."""

from django.apps import AppConfig


class ReviewsConfig(AppConfig):
    """People's disputes and refusals, and how reviewers answer them."""

    name = "memory_admin.reviews"
    label = "reviews"
