/**
 * Ids in their text form in the paths, parameters and headers of requests, with Spring
 * MVC and Spring WebFlux, and with the clients of HTTP services.
 */
@NullMarked
package dev.idspring.autoconfigure.web;

import org.jspecify.annotations.NullMarked;
