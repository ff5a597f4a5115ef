package dev.idspring.recipes.events;

import dev.idspring.annotation.IdAsString;

record OrderPlaced(@IdAsString("events") long id, @IdAsString("orders") long order, String customer) {
}
