package dev.idspring.recipes.scope;

import java.util.List;

import dev.idspring.IdScopeResolver;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * The tenant in a header that the gateway verifies.
 */
@Component
class CurrentTenant implements IdScopeResolver {

	private final HttpServletRequest request;

	CurrentTenant(HttpServletRequest request) {
		this.request = request;
	}

	@Override
	public @Nullable List<String> resolveScope(String generator) {
		String tenant = this.request.getHeader("X-Tenant");
		return (tenant != null) ? List.of(tenant) : null;
	}

}
