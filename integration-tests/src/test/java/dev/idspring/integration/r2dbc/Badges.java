package dev.idspring.integration.r2dbc;

import dev.idspring.integration.r2dbc.Badge.BadgeCode;
import dev.idspring.integration.r2dbc.Badge.BadgeId;
import org.springframework.data.repository.reactive.ReactiveCrudRepository;
import reactor.core.publisher.Mono;

interface Badges extends ReactiveCrudRepository<Badge, BadgeId> {

	Mono<Badge> findByCode(BadgeCode code);

}
