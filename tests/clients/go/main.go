// Plays a match of every game with the client that openapi-generator writes: `play ADDRESS < MATCHES`.
//
// The standard input is a list of bodies of `POST /v1/matches`. Each line of the output is the end of one match.
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"

	"dealt.example/play/dealt"
)

// A match of any game has these fields.
type match interface {
	GetId() string
	GetGame() string
	GetStatus() string
	GetVersion() int32
	GetToAct() []int32
	GetYourSeat() int32
}

type row struct {
	Game   string `json:"game"`
	Status string `json:"status"`
	Reason string `json:"reason"`
	Moves  int    `json:"moves"`
	Most   int    `json:"most"`
}

func main() {
	var bodies []dealt.MatchRequest
	require(json.NewDecoder(os.Stdin).Decode(&bodies))
	client, ctx := register(os.Args[1])
	out := json.NewEncoder(os.Stdout)
	for _, body := range bodies {
		require(out.Encode(playMatch(ctx, client, body)))
	}
}

func register(address string) (*dealt.APIClient, context.Context) {
	settings := dealt.NewConfiguration()
	settings.Servers = dealt.ServerConfigurations{{URL: address}}
	client := dealt.NewAPIClient(settings)
	player, _, err := client.PlayersAPI.CreatePlayer(context.Background()).
		PlayerRequest(*dealt.NewPlayerRequest("Eve")).Execute()
	require(err)
	return client, context.WithValue(context.Background(), dealt.ContextAccessToken, player.GetToken())
}

func playMatch(ctx context.Context, client *dealt.APIClient, body dealt.MatchRequest) row {
	made, _, err := client.MatchesAPI.CreateMatch(ctx).MatchRequest(body).Execute()
	require(err)
	now := made.GetActualInstance().(match)
	moves, most := 0, 0
	for now.GetStatus() == "playing" || now.GetStatus() == "lobby" {
		if !actOnce(ctx, client, now) {
			_, _, err = client.HistoryAPI.ListEvents(ctx, now.GetId()).After(now.GetVersion()).Wait(5).Execute()
			require(err)
		} else {
			moves++
		}
		shown, _, err := client.MatchesAPI.GetMatch(ctx, now.GetId()).Execute()
		require(err)
		now = shown.GetActualInstance().(match)
		most = larger(most, countCards(*shown))
	}
	return row{now.GetGame(), now.GetStatus(), readReason(ctx, client, now), moves, most}
}

// actOnce makes the first legal move, and reports whether there was one.
func actOnce(ctx context.Context, client *dealt.APIClient, now match) bool {
	offered, _, err := client.PlayAPI.ListMoves(ctx, now.GetId()).Execute()
	require(err)
	if len(offered.Moves) == 0 || !contains(now.GetToAct(), now.GetYourSeat()) {
		return false
	}
	_, _, err = client.PlayAPI.MakeMove(ctx, now.GetId()).Move(offered.Moves[0].Example).Execute()
	require(err)
	return true
}

// countCards reads what only one game has, by the type of its match.
func countCards(shown dealt.Match) int {
	if shown.HeartsMatch != nil {
		table := shown.HeartsMatch.GetTable()
		return len(table.GetTricks())
	}
	if shown.HoldemMatch != nil {
		table := shown.HoldemMatch.GetTable()
		return int(table.GetPot()) + len(table.GetBoard())
	}
	return 0
}

func readReason(ctx context.Context, client *dealt.APIClient, now match) string {
	page, _, err := client.HistoryAPI.ListEvents(ctx, now.GetId()).After(now.GetVersion() - 1).Execute()
	require(err)
	ended := page.Items[len(page.Items)-1].MatchEnded
	if ended == nil {
		log.Fatalf("the last event of %s does not end it", now.GetId())
	}
	return ended.Data.GetReason()
}

func contains(seats []int32, seat int32) bool {
	for _, one := range seats {
		if one == seat {
			return true
		}
	}
	return false
}

func larger(a, b int) int {
	if a > b {
		return a
	}
	return b
}

func require(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
