package dev.idspring.integration.web;

import dev.idspring.annotation.IdAsString;

@IdAsString("orders")
record OrderId(long value) {
}
